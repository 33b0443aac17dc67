"""Reject pairs with exchanged names: each side has a name that the other side lacks.

This filter is not in the BiSECT paper. Names are exchanged by mistranslation or misalignment. A name that is only left
out is accepted, as with numbers.

A name is a capitalised noun or adjective inside a sentence, because taggers take the words of `Member State` for common
nouns. In languages that capitalise every noun, it is a proper noun. Acronyms do not count, because they are translated,
and neither does the first word of a sentence, even after a paragraph number.

Names are compared by their first letters and without accents, so `Europe` matches `European`. Names that differ in few
letters are transliterations of the same name, such as `Gaddafi` and `Kaddafi`. A country, its people and its language
are the same name; those that begin differently, such as `Spain` and `Spanish`, are in the section `names` of the
language's data file.

If `long` and the halves have names but share none, the halves are about other people, and the score is one higher. This
does not apply if all the names are English words, between which translators choose (`Annex` and `Appendix`).

In English, a name of two or more words that only a half has is an added fact, unless all of them are English words
(`Labour Day`) or `long` may have the name as an acronym.
"""

import functools
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import chain
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View, strip_accents
from bitext_pivot.syntax.english_words import parts_of_speech

_PROPER = frozenset({"PROPN"})
_NOMINAL = frozenset({"PROPN", "NOUN", "ADJ"})
_ORDINALS = frozenset(
    "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twentieth".split()
)
"""Ordinals that are missing from lemminflect's English dictionary."""
# Share of common letters above which two names are the same. It is 0.75 for Iran and Iraq.
_SIMILAR = 0.75
_MIN_WORDS = 2  # minimum words of a name that is an added fact
_BEGINNING = 3  # first letters that two forms of a name share
# First letters that are compared. Fewer match unrelated words, more do not match a name with its adjective.
_STEM = 4


class NamesFilter(RuleFilter):
    """The number of exchanged names, or of words in a name that a half of the split adds.

    Two counts are compared: names that only `long` has, and names that only the halves have. The smaller count is the
    number of exchanged names; it is increased by one if no name is shared.
    """

    VERSION: ClassVar[int] = 4
    max_changed: int = Field(default=1, title="Maximum names", ge=0, le=1000)
    """Maximum number of names that may differ between the long sentence and its split."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged names or of words in an added name, whichever is larger."""
        long, *split = pair.parses
        exchanged = _count_exchanged(long, split, pair.language)
        if pair.language != "en":
            return exchanged
        return max(exchanged, _count_added_words(long, split))


def _count_exchanged(long: Parse, split: Sequence[Parse], language: str) -> int:
    """Return the number of exchanged names, plus one if `long` and its split share no name."""
    in_long, in_split = _collect_names([long], language), _collect_names(split, language)
    names = in_long | in_split
    lost = in_long.keys() - _stems(split, language)
    new = in_split.keys() - _stems([long], language)
    pairs = [(a, b) for a in lost for b in new if _is_transliterated(names[a], names[b])]
    lost, new = lost.difference(*pairs), new.difference(*pairs)
    is_other = new == in_split.keys() and not all(
        _is_english_word(names[stem]) for stem in lost | new
    )
    return bool(lost and new) and min(len(lost), len(new)) + is_other


def _count_added_words(long: Parse, split: Sequence[Parse]) -> int:
    """Return the number of words in the longest name that a half of the split adds.

    A name of one word counts as 0.
    """
    added = (
        len(run)
        for run in chain.from_iterable(map(_find_name_runs, split))
        if len(run) >= _MIN_WORDS
        and not all(map(_is_english_word, run))
        and not any(_may_occur_in(name, long.tokens) for name in run)
    )
    return max(added, default=0)


def _find_name_runs(parse: Parse) -> list[list[str]]:
    """Return each run of adjacent capitalised proper nouns; some of the lists may be empty."""
    runs: list[list[str]] = [[]]
    first = _find_first_word(parse.tokens)
    for n, (token, pos) in enumerate(zip(parse.tokens, parse.pos, strict=True)):
        is_first = n == first and _is_english_word(token)
        if pos == "PROPN" and token.istitle() and not is_first:
            runs[-1].append(token)
        else:
            runs.append([])
    return runs


def _is_english_word(word: str) -> bool:
    return word.lower() in _ORDINALS or bool(parts_of_speech(word.lower()))


def _may_occur_in(name: str, tokens: Sequence[str]) -> bool:
    """Return True if a text may contain a name as an acronym, inflected or transliterated."""
    beginning = strip_accents(name)[:_BEGINNING]
    return any(
        strip_accents(token)[:_BEGINNING] == beginning
        or (token[1:].isupper() and name[0] in token)
        or (token[0].isupper() and _is_transliterated(name, token))
        for token in tokens
    )


def _collect_names(parses: Sequence[Parse], language: str) -> dict[str, str]:
    """Return the names in the sentences, by stem, without acronyms and first words of sentences."""
    tags = _PROPER if language == "de" else _NOMINAL
    names: dict[str, str] = {}
    for parse in parses:
        names |= {
            _stem(token, language): token
            for n, token in enumerate(parse.tokens)
            if parse.pos[n] in tags
            and token.isalpha()
            and token[0].isupper()
            and token[1:].islower()
            and n > _find_first_word(parse.tokens)
        }
    return names


def _find_first_word(tokens: Sequence[str]) -> int:
    """Return the index of the first word, skipping quotation marks and numbers such as `( 63 )`."""
    return next((n for n, token in enumerate(tokens) if token.isalpha()), 0)


def _stems(parses: Sequence[Parse], language: str) -> set[str]:
    return {_stem(token, language) for parse in parses for token in parse.tokens}


def _stem(token: str, language: str) -> str:
    return strip_accents(_equivalent_names(language).get(token, token))[:_STEM]


@functools.cache
def _equivalent_names(language: str) -> dict[str, str]:
    """Map each name to the first of its equivalents, such as `Spanish` to `Spain`."""
    groups = [group.split() for group in section(language, "names").get("same", [])]
    return {name: group[0] for group in groups for name in group}


def _is_transliterated(first: str, second: str) -> bool:
    """Return True if two names differ in so few letters that one may transliterate the other."""
    return SequenceMatcher(None, strip_accents(first), strip_accents(second)).ratio() > _SIMILAR
