"""Filters that load a neural model, and how such models are found, loaded, checked and run."""
