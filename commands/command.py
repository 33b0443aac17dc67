"""What the overview of `bitext-pivot` says of a subcommand, and how one ends that is refused."""

import sys
from typing import NamedTuple

from bitext_pivot.core import untrusted


class Command(NamedTuple):
    """A subcommand: the file in commands/ and the class with its options, and what it does."""

    module: str
    settings: str
    summary: str
    takes_long: bool = False
    """Its libraries take a while to import."""


def refuse(status: int, *messages: str) -> int:
    """Print messages to stderr and return a status."""
    for message in messages:
        sys.stderr.write(f"bitext-pivot: {untrusted.safe(message)}\n")
    return status
