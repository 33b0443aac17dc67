"""Names that were exchanged: each side has a name that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. A name is a capitalised noun or adjective inside a sentence (`Member State`,
which taggers call common); in languages that capitalise every noun, a proper noun. Acronyms do not count,
because these are translated. First letters are compared without accents, so that `Europe` matches
`European`, and names that differ in few letters are the same name in another transliteration, such as
`Gaddafi` and `Kaddafi`. A country, its people and its language are the same name: those that begin
otherwise, such as `Spain` and `Spanish`, are in the section `names` of the language's file. As with
numbers, a name that is only left out is accepted. Halves whose names are all unknown to a `long` that has
names count one more: they are about other people, unless all these names are English words, which
translators choose (`Annex` and `Appendix`). A name of two words that only a half has is a fact of its own,
unless both are English words (`Labour Day`), or it may be written out from an acronym of `long`; English
only. The first word of a sentence has a capital whatever it is, also behind the number of a paragraph.
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
"""Words that lemminflect's dictionary lacks."""
_SIMILAR = 0.75  # share of common letters; Iran and Iraq have 0.75
_FULL = 2  # words of a name that is a fact of its own
_BEGINNING = 3  # letters that two forms of a name share, at least
_STEM = (
    4  # letters: with fewer unrelated words match, with more a name no longer matches its adjective
)


class NamesFilter(RuleFilter):
    """The number of names of one side that the other side lacks, or of words of a name that only a half has.

    The side with fewer counts; one more if no name is shared.
    """

    VERSION: ClassVar[int] = 4
    max_changed: int = Field(default=1, title="Maximum names", ge=0, le=1000)
    """Maximum number of names that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged names, or of the words of one that was added."""
        long, *split = pair.parses
        exchanged = _exchanged(long, split, pair.language)
        if pair.language != "en":
            return exchanged
        return max(exchanged, _added(long, split))


def _exchanged(long: Parse, split: Sequence[Parse], language: str) -> int:
    """Return the number of names that were exchanged, one more if the halves share no name with `long`."""
    in_long, in_split = _names([long], language), _names(split, language)
    names = in_long | in_split
    lost = in_long.keys() - _stems(split, language)
    new = in_split.keys() - _stems([long], language)
    pairs = [(a, b) for a in lost for b in new if _is_transliterated(names[a], names[b])]
    lost, new = lost.difference(*pairs), new.difference(*pairs)
    is_other = new == in_split.keys() and not all(_is_english(names[stem]) for stem in lost | new)
    return bool(lost and new) and min(len(lost), len(new)) + is_other


def _added(long: Parse, split: Sequence[Parse]) -> int:
    """Return the number of words of the longest name that `long` lacks; 0 for names of one word."""
    added = (
        len(run)
        for run in chain.from_iterable(map(_runs, split))
        if len(run) >= _FULL
        and not all(map(_is_english, run))
        and not any(_may_be_in(name, long.tokens) for name in run)
    )
    return max(added, default=0)


def _runs(parse: Parse) -> list[list[str]]:
    """Return the proper nouns with a capital that stand side by side, in groups."""
    runs: list[list[str]] = [[]]
    first = _first_word(parse.tokens)
    for n, (token, pos) in enumerate(zip(parse.tokens, parse.pos, strict=True)):
        is_first = n == first and _is_english(token)
        if pos == "PROPN" and token.istitle() and not is_first:
            runs[-1].append(token)
        else:
            runs.append([])
    return runs


def _is_english(word: str) -> bool:
    return word.lower() in _ORDINALS or bool(parts_of_speech(word.lower()))


def _may_be_in(name: str, tokens: Sequence[str]) -> bool:
    """Return True if a text has a name in another form: transliterated, its beginning, or an acronym."""
    beginning = strip_accents(name)[:_BEGINNING]
    return any(
        strip_accents(token)[:_BEGINNING] == beginning
        or (token[1:].isupper() and name[0] in token)
        or (token[0].isupper() and _is_transliterated(name, token))
        for token in tokens
    )


def _names(parses: Sequence[Parse], language: str) -> dict[str, str]:
    """Return names by stem, without the first word of each sentence and acronyms."""
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
            and n > _first_word(parse.tokens)
        }
    return names


def _first_word(tokens: Sequence[str]) -> int:
    """Return the place of the first word behind quotation marks and numbers, such as `( 63 )`."""
    return next((n for n, token in enumerate(tokens) if token.isalpha()), 0)


def _stems(parses: Sequence[Parse], language: str) -> set[str]:
    return {_stem(token, language) for parse in parses for token in parse.tokens}


def _stem(token: str, language: str) -> str:
    return strip_accents(_same(language).get(token, token))[:_STEM]


@functools.cache
def _same(language: str) -> dict[str, str]:
    """Return the first name of each group of names that count as one, by all of them."""
    groups = [group.split() for group in section(language, "names").get("same", [])]
    return {name: group[0] for group in groups for name in group}


def _is_transliterated(one: str, other: str) -> bool:
    """Return True if two names differ in few letters."""
    return SequenceMatcher(None, strip_accents(one), strip_accents(other)).ratio() > _SIMILAR
