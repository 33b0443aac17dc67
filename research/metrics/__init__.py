"""Metrics for split-and-rephrase systems, written as sacrebleu metrics: scores, signatures, paired tests."""
