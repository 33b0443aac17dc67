"""Counts of what was read of a corpus: links by shape, skips by reason, lengths, attributes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from bitext_pivot.core.counts import Counts, commonest
from bitext_pivot.core.records import Alignment

_SIDES = ("one", "first of two", "second of two")
_STEP, _LAST_STEP = 10, 100  # tokens
_MAX_VALUES = 20
"""Values of an attribute that are counted per shard, the most frequent ones."""
_ID_ATTRIBUTES = frozenset({"id", "tuid"})
"""Attributes that name a link."""


def count_links(
    corpus: str, alignments: Iterable[Alignment], links: Mapping[str, Mapping[str, int]]
) -> Counts:
    """Return the counts of a shard below `("links", corpus)`; `links` has those of its links by group and name.

    They are `tokens of one` ..., separated by spaces, in steps of ten, and `attribute certainty` ..., each attribute
    but those that name a link: numbers with two digits.
    """
    counts = Counts.read({"links": {corpus: links}})
    attributes: dict[str, Counter[str]] = defaultdict(Counter)
    for alignment in alignments:
        for side, text in zip(_SIDES, (alignment.one, *alignment.two), strict=True):
            counts["links", corpus, f"tokens of {side}", _length_step(len(text.split()))] += 1
        for name, text in alignment.attributes.items():
            attributes[name][_round_number(text)] += 1
    for name in attributes.keys() - _ID_ATTRIBUTES:
        shown = commonest(attributes[name])[:_MAX_VALUES]
        counts.update(
            {("links", corpus, f"attribute {name}", value): number for value, number in shown}
        )
    return counts


def _length_step(tokens: int) -> str:
    """Return a step of lengths such that names sort as numbers: `020-029`, `100-`."""
    start = min(tokens // _STEP * _STEP, _LAST_STEP)
    return f"{start:03d}-" + (f"{start + _STEP - 1:03d}" if start < _LAST_STEP else "")


def _round_number(text: str) -> str:
    """Return a number with two significant digits, so that there are few values; any other text unchanged."""
    try:
        return f"{float(f'{float(text):.2g}') + 0.0:g}"
    except ValueError:
        return text
