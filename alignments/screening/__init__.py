"""Checks that skip useless alignments before translation."""
