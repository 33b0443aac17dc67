"""Leave out useless alignments before translation."""
