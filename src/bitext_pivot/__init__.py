"""Build split-and-rephrase, sentence-fusion and discourse corpora from OPUS bitext, in any language."""
