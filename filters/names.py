"""Names that were exchanged: each side has a name that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. A name is a capitalised noun or adjective inside a sentence (`Member State`, which taggers
call common); in languages that capitalise every noun, a proper noun. Acronyms do not count, because these are
translated. First letters are compared without accents, so that `Europe` matches `European`. As with numbers, a name
that is only left out is accepted. Halves whose names are all unknown to a `long` that has names count one more: they
are about other people.
"""

import unicodedata
from collections.abc import Sequence

from pydantic import Field

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_PROPER = frozenset({"PROPN"})
_NOMINAL = frozenset({"PROPN", "NOUN", "ADJ"})
_CAPITALISED_NOUNS = frozenset({"de", "lb"})
_STEM = 4  # letters: with fewer unrelated words match, with more a name no longer matches its adjective


class Names(RuleFilter):
    """The number of names of one side that the other side lacks, the side with fewer; one more if none is shared."""

    max_changed: int = Field(default=1, title="Maximum names", ge=0, le=1000)
    """Maximum number of names that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged names."""
        long, *split = pair.parses
        tags = _PROPER if pair.language in _CAPITALISED_NOUNS else _NOMINAL
        names_long = _names([long], tags)
        if not names_long:
            return 0
        names_split = _names(split, tags)
        only_long, only_split = names_long - names_split, names_split - names_long
        if not (only_long and only_split):
            return 0
        new = only_split - _stems([long])
        is_other = new == names_split
        return min(len(only_long - _stems(split)) + is_other, len(new) + is_other)


def _names(parses: Sequence[Parse], tags: frozenset[str]) -> set[str]:
    """Return the stems of capitalised words with these tags, without the first word of each sentence and acronyms."""
    return {
        _stem(token)
        for parse in parses
        for token, pos in zip(parse.tokens[1:], parse.pos[1:], strict=True)
        if token[0].isupper() and pos in tags and token.isalpha() and token[1:].islower()
    }


def _stems(parses: Sequence[Parse]) -> set[str]:
    return {_stem(token) for parse in parses for token in parse.tokens}


def _stem(token: str) -> str:
    if not token.isascii():
        token = "".join(letter for letter in unicodedata.normalize("NFKD", token) if not unicodedata.combining(letter))
    return token[:_STEM].lower()
