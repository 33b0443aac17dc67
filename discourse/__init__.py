"""Recipes that derive discourse corpora from running text.

Most functions are pure functions of parsed sentences.
"""
