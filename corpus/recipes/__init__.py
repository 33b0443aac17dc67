"""The recipes: one file each, with the columns, formats and texts of its data set."""
