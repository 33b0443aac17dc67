"""Files that users name: their lines, rows and pairs of sentences."""
