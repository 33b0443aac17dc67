"""One file per recipe: its settings model and its flow."""
