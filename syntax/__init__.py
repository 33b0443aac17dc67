"""Parse texts with spaCy, query dependency trees and clauses, and label split pairs."""
