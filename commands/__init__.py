"""The commands of `bitext-pivot`: their options and their output.

Modules that import Prefect, spaCy or torch are imported inside the method `cli_cmd` of a command, so that help and
usage errors are fast.
"""
