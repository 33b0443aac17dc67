"""Filters that use a neural model, with the code that finds, loads, checks and runs these models."""
