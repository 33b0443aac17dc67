"""Recipes that build discourse corpora from running text.

Most of the package consists of pure functions on parsed sentences.
"""
