"""Parsing with spaCy, one view of a parse for all label schemes, tests on clauses."""
