"""The inspector: one self-contained HTML file to search, filter and read the pairs of a build."""
