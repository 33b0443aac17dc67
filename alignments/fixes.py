"""What has to be known of OPUS beside its catalogue: other names, order of languages, notes (data in `fixes.toml`)."""

import functools
from pathlib import Path
from typing import Any, NamedTuple

from pairs.data import read_toml


class Share(NamedTuple):
    """Which share of a corpus's links is 1-2 or 2-1, and where the number is from."""

    share: float
    basis: str


_ELSEWHERE = Share(0.08, "the most seen in any other corpus but UN")


def meant(corpus: str) -> str:
    """Return the name by which OPUS files a corpus: `giga-fren` for `10^9`; a name that is no alias stays as it is."""
    return str(_data()["aliases"].get(corpus.casefold(), corpus))


def withdrawn(corpus: str) -> str | None:
    """Return why OPUS no longer has a corpus, None for one that is not known to be gone."""
    reason: str | None = _data()["withdrawn"].get(corpus)
    return reason


def filed(corpus: str, release: str, one: str, other: str) -> tuple[str, str]:
    """Return two languages in the order in which a release files them: ASCII order, but for the pairs on the list."""
    a, b = sorted((one, other))
    against = _data()["reversed"].get(f"{corpus}/{release}", [])
    return (b, a) if f"{b}-{a}" in against else (a, b)


def note(corpus: str, release: str) -> str:
    """Return what the numbers of a release do not tell; "" for most."""
    return str(_data()["notes"].get(f"{corpus}/{release}", ""))


def candidates(corpus: str) -> Share:
    """Return the share of 1-2 and 2-1 links to expect of a corpus; a cautious one for a corpus nobody counted."""
    known = _data()["candidates"].get(corpus)
    return Share(known["share"], known["from"]) if known else _ELSEWHERE


@functools.cache
def _data() -> dict[str, dict[str, Any]]:
    return read_toml(Path(__file__).with_name("fixes.toml"))
