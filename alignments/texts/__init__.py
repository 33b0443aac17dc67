"""Bitext as text: lines, translation memories, documents; split into sentences and aligned by us."""
