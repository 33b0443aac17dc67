"""Borders of sentences that are none: behind an abbreviation, an initial, or a number before its noun.

The words of a language are in the section `joint` of its data. Languages without them have no such borders.
"""

import functools
import re

from bitext_pivot.core.languages import digest, section

VERSION = 1
"""Change it when the same words give other borders."""
_SECTION = "joint"
_ORDINARY = "function_words"
_ENDING = " .?!;:…"
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th|er|º)?")
"""A number that may be the day of a date: `29`, `29th`."""
_OPENING = "([\"'«„“‘"
_ORDINAL = re.compile(r"\d{1,2}|[IVX]+")
_APOSTROPHE = re.compile("['’]")
_ROMAN = frozenset("IVX")


def is_cut(first: str, second: str, language: str) -> bool:
    """Return True if a text ends in an abbreviation, initial or number that needs the next text."""
    if not first.endswith("."):
        return False
    before, last = _last_words(first)
    following = second.partition(" ")[0].strip(_OPENING + _ENDING + ",")
    if not last or not following:
        return False
    return (
        _is_abbreviation(last, following, language)
        or f"{before} {last}".lower() in _words(language).get("phrases", ())
        or _is_ordinal(before, last, language)
        or _is_initial(before, last, following, language)
        or _is_title(last, following, language)
    )


def signature(*languages: str) -> str:
    """Return what finds such borders in some languages, for the key of shards."""
    digests = " ".join(digest(language, _SECTION, _ORDINARY) for language in languages)
    return f"cuts {VERSION} {digests}"


def last_word(text: str) -> str:
    """Return the last word of a text without the marks behind it."""
    return text.rstrip(_ENDING).rpartition(" ")[2]


def _last_words(text: str) -> tuple[str, str]:
    """Return the last two words of a text without marks around them; empty where it has fewer."""
    words = ["", "", *text.rstrip(_ENDING).split()]
    return words[-2].lstrip(_OPENING), words[-1].lstrip(_OPENING)


def _is_abbreviation(word: str, following: str, language: str) -> bool:
    """Return True for an abbreviation, or a number whose month or noun follows."""
    if "." not in word and sum(map(str.isupper, word)) > 1:  # an acronym
        return False
    word, following, words = word.lower(), following.lower(), _words(language)
    if _DAY.fullmatch(word):
        return following in words.get("months", ()) or following in words.get("counted", ())
    if word in words.get("always", ()):
        return True
    if word in words.get("amounts", ()):
        return following in words.get("units", ())
    return following[:1].isdigit() and word in words.get("before_digits", ())


def _is_ordinal(before: str, number: str, language: str) -> bool:
    """Return True for an ordinal behind an article, in languages that write it so: `am 3.`."""
    is_number = bool(_ORDINAL.fullmatch(number))
    return is_number and before.lower() in _words(language).get("before_ordinals", ())


def _is_initial(before: str, letter: str, following: str, language: str) -> bool:
    """Return True for an initial between two words that may be names: `George W. | Bush`."""
    is_letter = len(letter) == 1 and letter.isupper() and letter not in _ROMAN
    return is_letter and before.istitle() and len(before) > 1 and _is_name(following, language)


def _is_title(word: str, following: str, language: str) -> bool:
    """Return True for a title that is an abbreviation only in capitals: French `M. | Martin`."""
    return word in _words(language).get("titles", ()) and _is_name(following, language)


def _is_name(word: str, language: str) -> bool:
    """Return True for a word with a capital that is no function word: `Bush's`, not `It's`."""
    stem = _APOSTROPHE.split(word)[0]
    return len(stem) > 1 and stem[0].isupper() and stem.lower() not in _function_words(language)


@functools.cache
def _function_words(language: str) -> frozenset[str]:
    return frozenset(section(language, _ORDINARY).get("words", ()))


@functools.cache
def _words(language: str) -> dict[str, frozenset[str]]:
    """Return the lists of a language by their name."""
    lists: dict[str, frozenset[str]] = {}
    for kind, words in section(language, _SECTION).items():
        if isinstance(words, str):
            words = words.split()
        lists[kind] = frozenset(words)
    return lists
