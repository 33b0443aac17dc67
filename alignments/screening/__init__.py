"""Screening: checks by which useless alignments are skipped before they are translated."""
