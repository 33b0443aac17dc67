"""Names that were exchanged: each side has a name that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. A name is a capitalised noun or adjective inside a sentence (`Member State`, which taggers
call common); in languages that capitalise every noun, a proper noun. Acronyms do not count, because these are
translated. First letters are compared without accents, so that `Europe` matches `European`, and names that differ in
few letters are the same name in another transliteration, such as `Gaddafi` and `Kaddafi`. As with numbers, a name that
is only left out is accepted. Halves whose names are all unknown to a `long` that has names count one more: they are
about other people.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from pydantic import Field

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View, without_accents

_PROPER = frozenset({"PROPN"})
_NOMINAL = frozenset({"PROPN", "NOUN", "ADJ"})
_CAPITALISED_NOUNS = frozenset({"de", "lb"})
_SIMILAR = 0.75  # share of common letters; Iran and Iraq have 0.75
_STEM = (
    4  # letters: with fewer unrelated words match, with more a name no longer matches its adjective
)


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
        only_long, only_split = names_long.keys() - names_split, names_split.keys() - names_long
        if not (only_long and only_split):
            return 0
        lost, new = only_long - _stems(split), only_split - _stems([long])
        pairs = [
            (a, b) for a in lost for b in new if _is_transliterated(names_long[a], names_split[b])
        ]
        lost, new = lost - {a for a, _ in pairs}, new - {b for _, b in pairs}
        is_other = new == names_split.keys()
        return min(len(lost) + is_other, len(new) + is_other)


def _names(parses: Sequence[Parse], tags: frozenset[str]) -> dict[str, str]:
    """Return capitalised words with these tags by stem, without the first word of each sentence and acronyms."""
    return {
        _stem(token): token
        for parse in parses
        for token, pos in zip(parse.tokens[1:], parse.pos[1:], strict=True)
        if token[0].isupper() and pos in tags and token.isalpha() and token[1:].islower()
    }


def _stems(parses: Sequence[Parse]) -> set[str]:
    return {_stem(token) for parse in parses for token in parse.tokens}


def _stem(token: str) -> str:
    return without_accents(token)[:_STEM]


def _is_transliterated(one: str, other: str) -> bool:
    """Return True if two names differ in few letters; `x` is `ks`."""
    first, second = (without_accents(name).replace("x", "ks") for name in (one, other))
    return SequenceMatcher(None, first, second).ratio() > _SIMILAR
