"""The tasks of a training."""
