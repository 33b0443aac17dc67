"""Read the files that users name: lines, rows of tables, and pairs of a long sentence and its split."""
