"""Filters of pairs. One rule filter per file; model-based filters are in `neural`."""
