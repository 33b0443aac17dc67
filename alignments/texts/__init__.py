"""Bitext without sentence alignment: lines, translation memories, documents."""
