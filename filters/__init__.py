"""Filters of pairs: one rule filter per file, and model-based filters in `neural`."""
