"""OPUS: catalogue, downloads, and alignments of shape 1-2 and 2-1."""
