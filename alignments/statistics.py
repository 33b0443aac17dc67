"""Count links by shape, skips by reason, sentence lengths and link attributes of a corpus.

The counts are shown on the card of a data set, its README.md.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from bitext_pivot.core.counts import Counts, sort_by_count
from bitext_pivot.core.records import Alignment

_SIDES = ("one", "first of two", "second of two")
_STEP, _LAST_STEP = 10, 100  # tokens
_MAX_VALUES = 20
"""Maximum number of values counted for an attribute in a shard. The most frequent values are kept."""
_ID_ATTRIBUTES = frozenset({"id", "tuid"})
"""Attributes that identify a link and are therefore not counted."""


def count_links(
    corpus: str, alignments: Iterable[Alignment], links: Mapping[str, Mapping[str, int]]
) -> Counts:
    """Return the counts of a shard, whose keys begin with `("links", corpus)`.

    The counts are those in `links` (by group and name), the lengths of sentences (`tokens of one` ...), and the values
    of link attributes (`attribute certainty` ...). Lengths are in whitespace-separated tokens, in steps of ten. Numbers
    in attributes are rounded to two significant digits.
    """
    counts = Counts.read({"links": {corpus: links}})
    attributes: dict[str, Counter[str]] = defaultdict(Counter)
    for alignment in alignments:
        for side, text in zip(_SIDES, (alignment.one, *alignment.two), strict=True):
            counts["links", corpus, f"tokens of {side}", _length_step(len(text.split()))] += 1
        for name, text in alignment.attributes.items():
            attributes[name][_round_number(text)] += 1
    for name in attributes.keys() - _ID_ATTRIBUTES:
        shown = sort_by_count(attributes[name])[:_MAX_VALUES]
        counts.update(
            {("links", corpus, f"attribute {name}", value): number for value, number in shown}
        )
    return counts


def _length_step(tokens: int) -> str:
    """Return the range of ten to which a length belongs, zero-padded for sorting: `020-029`, `100-`."""
    start = min(tokens // _STEP * _STEP, _LAST_STEP)
    return f"{start:03d}-" + (f"{start + _STEP - 1:03d}" if start < _LAST_STEP else "")


def _round_number(text: str) -> str:
    """Return a number rounded to two significant digits, which keeps the number of values small.

    Any other text is returned unchanged.
    """
    try:
        return f"{float(f'{float(text):.2g}') + 0.0:g}"
    except ValueError:
        return text
