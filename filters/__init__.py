"""Filters that accept or reject pairs: rule filters here, model-based filters in `neural`."""
