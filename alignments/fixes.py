"""Corrections of the OPUS catalogue: other names, order of languages, notes (data: `fixes.toml`)."""

from pathlib import Path
from typing import Any

from bitext_pivot.core.data_files import read_toml

_DEFAULT_SHARE = 0.08
"""The highest share of 1-2 and 2-1 links counted in a corpus, but for UN: that of corpora not counted."""


def canonical_name(corpus: str) -> str:
    """Return the name of a corpus in OPUS: `giga-fren` for `10^9`; an unknown name is returned unchanged."""
    return str(_data()["aliases"].get(corpus.casefold(), corpus))


def withdrawal_reason(corpus: str) -> str | None:
    """Return why OPUS no longer has a corpus, or None."""
    reason: str | None = _data()["withdrawn"].get(corpus)
    return reason


def opus_order(corpus: str, release: str, first: str, second: str) -> tuple[str, str]:
    """Return two languages in the order of a release: ASCII order, with few exceptions."""
    a, b = sorted((first, second))
    against = _data()["reversed"].get(f"{corpus}/{release}", [])
    return (b, a) if f"{b}-{a}" in against else (a, b)


def note(corpus: str, release: str) -> str:
    """Return a remark about the numbers of a release; "" for most."""
    return str(_data()["notes"].get(f"{corpus}/{release}", ""))


def candidate_share(corpus: str) -> float:
    """Return the expected share of 1-2 and 2-1 links of a corpus; a high one if nothing is known of it."""
    data = _data()
    return float({**data["guessed"], **data["candidates"]}.get(corpus, _DEFAULT_SHARE))


def is_share_counted(corpus: str) -> bool:
    """Return True if the share of 1-2 and 2-1 links of a corpus was counted; else it is a guess."""
    return corpus in _data()["candidates"]


def _data() -> dict[str, dict[str, Any]]:
    return read_toml(Path(__file__).with_name("fixes.toml"))
