"""OPUS' own format: link files and documents, read as streams."""
