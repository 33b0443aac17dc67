"""Labels of a split pair: its categories, its construction and its edits."""
