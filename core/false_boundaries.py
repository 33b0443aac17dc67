"""Detect false sentence boundaries: after an abbreviation, an initial, a list mark, or a number before its noun.

The word lists are in the section `joint` of each language's data file (core/languages). For a language without these
lists, no boundary counts as false.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from bitext_pivot.core.languages import digest, word_list
from bitext_pivot.core.list_marks import is_list_mark

VERSION = 4
"""Increase this if the same word lists lead to other boundaries."""
_SECTION = "joint"
_ORDINARY = "function_words"
_NUMBERS = "numbers"
_ENDING = " .?!;:…"
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th|er|º)?")
"""A number that may be the day of a date: `29`, `29th`."""
_OPENING = "([\"'«„“‘"
_ORDINAL = re.compile(r"\d{1,2}|[IVX]+")
_APOSTROPHE = re.compile("['’]")
_ROMAN = frozenset("IVX")


def is_false_boundary(first: str, second: str, language: str) -> bool:
    """Return True if no sentence ends between two texts.

    The first ends with an abbreviation, initial, list mark or number that the second continues: `Art. 5 Abs. | 2.`
    """
    is_mark = first.endswith(".") and is_list_mark(first)
    return is_mark or _ends_in_abbreviation(first, second, language)


def _ends_in_abbreviation(first: str, second: str, language: str) -> bool:
    """Return True if `first` ends with an abbreviation, initial or number that `second` continues."""
    if not first.endswith("."):
        return False
    before, last = _last_words(first)
    following = second.partition(" ")[0].strip(_OPENING + _ENDING + ",")
    if not last or not following:
        return False
    return (
        _is_abbreviation(last, following, language)
        or f"{before} {last}".lower() in _words(language, "phrases")
        or _is_ordinal(before, last, language)
        or _is_initial(before, last, following, language)
        or _is_title(last, following, language)
    )


def join_sentences(sentences: Sequence[str], language: str) -> list[str]:
    """Join neighbouring sentences that were divided after an abbreviation, initial or number.

    `["Siehe Art. 5 Abs.", "2.", "Es gilt."] -> ["Siehe Art. 5 Abs. 2.", "Es gilt."]`
    """
    starts = [
        index
        for index, sentence in enumerate(sentences)
        if not (index and _ends_in_abbreviation(sentences[index - 1], sentence, language))
    ]
    return [" ".join(sentences[start:end]) for start, end in pairwise([*starts, len(sentences)])]


def signature(*languages: str) -> str:
    """Return the version of these rules and the digests of the word lists, for shard keys."""
    digests = " ".join(digest(language, _SECTION, _ORDINARY, _NUMBERS) for language in languages)
    return f"cuts {VERSION} {digests}"


def last_word(text: str) -> str:
    """Return the last word of a text without the punctuation after it."""
    return text.rstrip(_ENDING).rpartition(" ")[2]


def _last_words(text: str) -> tuple[str, str]:
    """Return the last two words of a text without surrounding punctuation. A missing word is ""."""
    words = ["", "", *text.rstrip(_ENDING).split()]
    return words[-2].lstrip(_OPENING), words[-1].lstrip(_OPENING)


def _is_abbreviation(word: str, following: str, language: str) -> bool:
    """Return True for an abbreviation, or for a number before its month or noun, such as `29. | Juni`."""
    is_acronym = "." not in word and sum(map(str.isupper, word)) > 1
    if is_acronym and not following[:1].isdigit():
        return False
    word, following = word.lower(), following.lower()
    if _DAY.fullmatch(word):
        return following in _words(language, "months") or following in _words(language, "counted")
    if word in _words(language, "always"):
        return True
    if word in _words(language, "amounts"):
        return following in _words(language, "units")
    return following[:1].isdigit() and word in _words(language, "before_digits")


def _is_ordinal(before: str, number: str, language: str) -> bool:
    """Return True for an ordinal with a full stop after an article, such as German `am 3.`."""
    is_number = bool(_ORDINAL.fullmatch(number))
    return is_number and before.lower() in _words(language, "before_ordinals")


def _is_initial(before: str, letter: str, following: str, language: str) -> bool:
    """Return True for an initial between two names: `George W. | Bush`, but not `Flat E.`."""
    if len(letter) != 1 or not letter.isupper() or letter in _ROMAN or len(before) < 2:
        return False
    lists = (word_list(language, _NUMBERS, kind) for kind in ("numbered", "lettered"))
    has_letter = any(before.lower() in words for words in lists)
    return before.istitle() and not has_letter and _is_name(following, language)


def _is_title(word: str, following: str, language: str) -> bool:
    """Return True for a title before a name that is an abbreviation only with a capital: French `M. | Martin`."""
    return word in _words(language, "titles") and _is_name(following, language)


def _is_name(word: str, language: str) -> bool:
    """Return True for a capitalised word that is not a function word: `Bush's`, but not `It's`."""
    stem = _APOSTROPHE.split(word)[0]
    if len(stem) < 2 or not stem[0].isupper():
        return False
    return stem.lower() not in word_list(language, _ORDINARY, "words")


def _words(language: str, kind: str) -> frozenset[str]:
    """Return the word list `kind` from the section `joint` of a language's data file."""
    return word_list(language, _SECTION, kind)
