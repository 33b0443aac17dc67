"""OPUS and your own bitext: catalogue, downloads, and extraction of 1-2 and 2-1 alignments."""
