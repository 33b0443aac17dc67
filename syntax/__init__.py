"""Parsing with spaCy, queries on dependency trees and clauses, and labels of split pairs."""
