"""Filters that use a neural model, and the code that loads, checks and runs their models."""
