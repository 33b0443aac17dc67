"""Metrics of split-and-rephrase systems, as classes of sacrebleu: scores, signatures and paired tests."""
