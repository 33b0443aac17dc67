"""Corrections of the OPUS catalogue, read from `fixes.toml`: corpus names, order of languages, notes."""

from pathlib import Path
from typing import Any

from bitext_pivot.core.data_files import read_toml

_DEFAULT_SHARE = 0.08
"""Assumed share of 1-2 and 2-1 links among all links, for a corpus whose links nobody has counted. It is the
highest share among the counted corpora except UN."""


def canonical_name(corpus: str) -> str:
    """Return OPUS's name of a corpus: `giga-fren` for `10^9`. Unknown names are returned unchanged."""
    return str(_data()["aliases"].get(corpus.casefold(), corpus))


def withdrawal_reason(corpus: str) -> str | None:
    """Return why OPUS no longer offers a corpus, or None if it was not withdrawn."""
    reason: str | None = _data()["withdrawn"].get(corpus)
    return reason


def opus_order(corpus: str, release: str, first: str, second: str) -> tuple[str, str]:
    """Return two languages in the order in which OPUS names them in a release: ASCII order with few exceptions."""
    a, b = sorted((first, second))
    against = _data()["reversed"].get(f"{corpus}/{release}", [])
    return (b, a) if f"{b}-{a}" in against else (a, b)


def note(corpus: str, release: str) -> str:
    """Return a remark on the counts that OPUS states for a release, or "" if there is no remark."""
    return str(_data()["notes"].get(f"{corpus}/{release}", ""))


def candidate_share(corpus: str) -> float:
    """Return the expected share of 1-2 and 2-1 links among the links of a corpus.

    For some corpora this share was counted or guessed. For all others it is a default, which is rather too high.
    """
    data = _data()
    return float({**data["guessed"], **data["candidates"]}.get(corpus, _DEFAULT_SHARE))


def is_share_counted(corpus: str) -> bool:
    """Return True if `candidate_share` was counted in this corpus, not guessed or a default."""
    return corpus in _data()["candidates"]


def _data() -> dict[str, dict[str, Any]]:
    return read_toml(Path(__file__).with_name("fixes.toml"))
