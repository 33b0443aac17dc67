"""The licence of a corpus by our own table, `licences.toml`: OPUS itself files none."""

import functools
from pathlib import Path

from pairs.data import read_toml

UNKNOWN = "unknown"


def licence(corpus: str) -> str:
    """Return the licence of a corpus: SPDX where there is one, `unknown` where none is stated."""
    return _entry(corpus).get("licence", UNKNOWN)


def grounds(corpus: str) -> str:
    """Return on what the licence rests, or what is known where it is `unknown`; "" for a corpus that is not listed."""
    return _entry(corpus).get("source", "")


def _entry(corpus: str) -> dict[str, str]:
    """Return what the table has of a corpus, or of its family (`ELRC-*`)."""
    family = corpus.partition("-")[0] + "-*"
    return _table().get(corpus) or _table().get(family) or {}


@functools.cache
def _table() -> dict[str, dict[str, str]]:
    return read_toml(Path(__file__).with_name("licences.toml"))
