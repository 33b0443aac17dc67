"""One file a recipe: its settings model and its flow."""
