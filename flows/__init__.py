"""One file per recipe with its flow, and one with its settings model (`*settings.py`)."""
