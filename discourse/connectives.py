"""Lists of connectives by language, and where one is in a text."""

import functools
from collections.abc import Sequence
from pathlib import Path

from pairs.data import read_toml
from pairs.errors import SettingsError

_TABLE = read_toml(Path(__file__).with_suffix(".toml"))

LANGUAGES = frozenset(_TABLE)
"""Languages with lists."""


@functools.cache
def phrases(language: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the connectives of a kind as tuples of tokens, the longest first.

    Raises SettingsError for a language without lists.
    """
    if language not in _TABLE:
        raise SettingsError(
            f"There are no connectives of {language!r}. Expected one of {', '.join(_TABLE)}. Choose such a language."
        )
    return tuple(sorted((tuple(phrase.split()) for phrase in _TABLE[language][kind]), key=len, reverse=True))


def phrase_at(tokens: Sequence[str], i: int, language: str, kind: str) -> int:
    """Return the number of tokens of the longest connective that begins at token `i`, in any case; 0 without one."""
    candidates = phrases(language, kind)
    window = tuple(token.lower() for token in tokens[i : i + len(candidates[0])])
    return next((len(phrase) for phrase in candidates if window[: len(phrase)] == phrase), 0)
