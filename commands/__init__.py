"""The commands of `bitext-pivot`: their options and what they print.

What imports Prefect, spaCy, torch or matplotlib is imported inside `cli_cmd`: help and usage errors are fast.
"""
