"""The files that a build publishes: rows in all formats, the card (README.md), examples and the inspector."""
