"""Recipes of discourse corpora over running text: pure functions over parsed sentences."""
