"""OPUS and the user's own bitext: catalogue, downloads, and extraction of 1-2 and 2-1 alignments.

In a 1-2 alignment, one sentence is aligned with two sentences of the other language.
"""
