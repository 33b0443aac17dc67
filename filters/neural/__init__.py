"""Filters that use a neural model, and the code that finds, loads, checks and runs their models."""
