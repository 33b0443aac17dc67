"""Lists of connectives by language, and where one is in a text."""

import functools
from collections.abc import Iterator, Sequence
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


@functools.cache
def _by_first_token(language: str, kind: str) -> dict[str, list[tuple[str, ...]]]:
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases(language, kind):
        table.setdefault(phrase[0], []).append(phrase)
    return table


def phrase_at(tokens: Sequence[str], i: int, language: str, kind: str) -> int:
    """Return the number of tokens of the longest connective that begins at token `i`, in any case; 0 without one."""
    table = _by_first_token(language, kind)
    for phrase in table.get(tokens[i].lower(), ()) if i < len(tokens) else ():
        if phrase == tuple(map(str.lower, tokens[i : i + len(phrase)])):
            return len(phrase)
    return 0


def phrases_in(tokens: Sequence[str], language: str, kind: str) -> Iterator[tuple[int, int]]:
    """Yield where connectives begin in a text, and their numbers of tokens."""
    table = _by_first_token(language, kind)
    for i, token in enumerate(tokens):
        if token.lower() in table and (size := phrase_at(tokens, i, language, kind)):
            yield i, size
