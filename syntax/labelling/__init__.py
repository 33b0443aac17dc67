"""Label split pairs: the categories and construction of the split, and its edits."""
