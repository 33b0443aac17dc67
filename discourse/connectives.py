"""Word lists of each language for discourse rules, and the search for connectives in a text."""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import languages_with, section


def supported_languages() -> tuple[str, ...]:
    """Return the languages with word lists for discourse rules, sorted."""
    return tuple(sorted(languages_with("connectives")))


@functools.cache
def word_lists(language: str) -> dict[str, Any]:
    """Return the word lists for discourse rules, by name, from the data file of a language.

    Raises SettingsError if the language has no lists.
    """
    lists = section(language, "connectives")
    if not lists:
        raise SettingsError(
            f"There are no lists of connectives for {language!r}; expected one of {', '.join(supported_languages())}. "
            "Choose one of these languages."
        )
    return lists


@functools.cache
def word_set(language: str, kind: str) -> frozenset[str]:
    """Return the word list `kind` of a language as a set, such as `relative`.

    Raises SettingsError if the language has no lists.
    """
    return frozenset(word_lists(language)[kind])


@functools.cache
def connective_phrases(language: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the list of connectives `kind`, such as `backward`, as token tuples, longest first.

    Raises SettingsError if the language has no lists.
    """
    return tuple(
        sorted(
            (tuple(phrase.split()) for phrase in word_lists(language)[kind]), key=len, reverse=True
        )
    )


@functools.cache
def _by_first_token(language: str, kind: str) -> dict[str, list[tuple[str, ...]]]:
    groups: dict[str, list[tuple[str, ...]]] = {}
    for phrase in connective_phrases(language, kind):
        groups.setdefault(phrase[0], []).append(phrase)
    return groups


def phrase_length_at(words_of_text: Sequence[str], i: int, language: str, kind: str) -> int:
    """Return the length in tokens of the longest connective that starts at token `i`, or 0.

    `words_of_text` are the tokens of a text in lower case, with straight apostrophes. `kind` names a list of
    connectives.
    """
    for phrase in (
        _by_first_token(language, kind).get(words_of_text[i], ()) if i < len(words_of_text) else ()
    ):
        if phrase == tuple(words_of_text[i : i + len(phrase)]):
            return len(phrase)
    return 0


def find_phrases(
    words_of_text: Sequence[str], language: str, kind: str
) -> Iterator[tuple[int, int]]:
    """Yield the index of the first token and the length in tokens of each connective in a text.

    `words_of_text` are the tokens in lower case, with straight apostrophes. `kind` names a list of connectives.
    """
    groups = _by_first_token(language, kind)
    for i, word in enumerate(words_of_text):
        if word in groups and (size := phrase_length_at(words_of_text, i, language, kind)):
            yield i, size
