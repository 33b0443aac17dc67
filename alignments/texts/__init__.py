"""Readers of parallel text without sentence alignment: line files, translation memories and tables."""
