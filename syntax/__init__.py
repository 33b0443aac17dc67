"""Parse texts with spaCy, find clauses in dependency trees, and label split pairs."""
