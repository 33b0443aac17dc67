"""The class that describes a subcommand, and the function that prints why a command line is refused."""

import sys
from typing import NamedTuple

from bitext_pivot.core import untrusted


class Command(NamedTuple):
    """A subcommand: its module in commands/, the class of its options, and its summary in `--help`."""

    module: str
    settings: str
    summary: str
    takes_long: bool = False
    """Whether the libraries of the command take a while to import."""


def refuse(status: int, *messages: str) -> int:
    """Print messages to stderr, and return `status` as the exit status of the command."""
    for message in messages:
        sys.stderr.write(f"bitext-pivot: {untrusted.safe(message)}\n")
    return status
