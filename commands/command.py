"""What the overview of `bitext-pivot` says of a subcommand."""

from typing import NamedTuple


class Command(NamedTuple):
    """A subcommand: the file in commands/ and the class with its options, and what it does."""

    module: str
    settings: str
    summary: str
    takes_long: bool = False
    """Its libraries take a while to import."""
