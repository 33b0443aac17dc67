"""The description of a subcommand in the overview, and the function that refuses a command line."""

import sys
from typing import NamedTuple

from bitext_pivot.core import untrusted


class Command(NamedTuple):
    """A subcommand: its module in commands/, the class of its options, and its summary in the overview."""

    module: str
    settings: str
    summary: str
    takes_long: bool = False
    """Whether its libraries take a while to import."""


def refuse(status: int, *messages: str) -> int:
    """Print messages to stderr and return the exit status `status`."""
    for message in messages:
        sys.stderr.write(f"bitext-pivot: {untrusted.safe(message)}\n")
    return status
