"""Statistics of a corpus: shapes of links, lengths, link attributes, skips by reason.

The statistics of a corpus are the sum of those of its shards. Their size does not grow with the corpus.
"""

import hashlib
import heapq
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple, Self

from alignments.screening.lengths import width
from pairs.errors import ShardError
from pairs.records import Alignment
from pairs.tables import markdown_table

_CHARACTERS = (0, 10, 20, 40, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1_000, 1_500)
_TOKENS = (0, 2, 4, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 250)
_RATIO = (0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 1.75, 2.0, 4.0)
EDGES: dict[str, tuple[float, ...]] = {
    "one, characters": _CHARACTERS,
    "first of two, characters": _CHARACTERS,
    "second of two, characters": _CHARACTERS,
    "one, tokens": _TOKENS,
    "first of two, tokens": _TOKENS,
    "second of two, tokens": _TOKENS,
    "one : two, characters": _RATIO,
}
"""Lower edges of the bins of each measure. Tokens are separated by spaces; the ratio is one of widths."""
_MAX_VALUES = 500  # of an attribute
_MAX_ROWS = 10  # of an attribute's table
_BAR = 20  # characters


class Row(NamedTuple):
    """A row of a table: its group, what is counted, how often, and a bar of its share."""

    group: str
    name: str
    number: int
    bar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStatistics:
    """Counts of some alignments of a corpus and of the links they were extracted from."""

    alignments: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Alignments by bin of `EDGES`, for each measure; empty without alignments."""
    attributes: dict[str, Counter[str]] = field(default_factory=dict)
    """Alignments by value of each attribute but `id`; numbers have two digits. Of more than 500 values, the 500 with
    the smallest digests are kept, so that the order of alignments does not matter."""

    @classmethod
    def of(
        cls,
        alignments: Iterable[Alignment],
        shapes: Mapping[str, int],
        skips: Mapping[str, int],
        notes: Mapping[str, int] | None = None,
    ) -> Self:
        """Count alignments in one pass; `shapes`, `skips` and `notes` are the sums of their batches."""
        number = 0
        bins = {measure: [0] * len(edges) for measure, edges in EDGES.items()}
        attributes: dict[str, Counter[str]] = {}
        for number, alignment in enumerate(alignments, 1):  # noqa: B007 -- the last number is the count
            for (measure, edges), value in zip(EDGES.items(), _measures(alignment), strict=True):
                bins[measure][bisect_right(edges, value) - 1] += 1
            for name, text in alignment.attributes.items():
                if name != "id":
                    values = attributes.setdefault(name, Counter())
                    values[_rounded(text)] += 1
                    if len(values) >= 4 * _MAX_VALUES:
                        attributes[name] = _limited(values)
        return cls(
            alignments=number,
            shapes=+Counter(shapes),
            skips=+Counter(skips),
            notes=+Counter(notes or {}),
            lengths={measure: tuple(counts) for measure, counts in bins.items()} if number else {},
            attributes={name: _limited(values) for name, values in attributes.items()},
        )

    def __add__(self, statistics: "LinkStatistics") -> "LinkStatistics":
        lengths = self.lengths or statistics.lengths
        if self.lengths and statistics.lengths:
            lengths = {
                measure: tuple(map(sum, zip(bins, statistics.lengths[measure], strict=True)))
                for measure, bins in self.lengths.items()
            }
        empty: Counter[str] = Counter()
        return LinkStatistics(
            alignments=self.alignments + statistics.alignments,
            shapes=self.shapes + statistics.shapes,
            skips=self.skips + statistics.skips,
            notes=self.notes + statistics.notes,
            lengths=lengths,
            attributes={
                name: _limited(self.attributes.get(name, empty) + statistics.attributes.get(name, empty))
                for name in self.attributes.keys() | statistics.attributes.keys()
            },
        )

    def plain(self) -> dict[str, Any]:
        """Return a JSON object for `read`, with the edges of the bins."""
        lengths = {name: {"edges": list(EDGES[name]), "counts": list(bins)} for name, bins in self.lengths.items()}
        counts = {name: dict(getattr(self, name)) for name in ("shapes", "skips", "notes")}
        attributes = {name: dict(values) for name, values in self.attributes.items()}
        return {"alignments": self.alignments, **counts, "lengths": lengths, "attributes": attributes}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Self:
        """Return the statistics of a JSON object; raises ShardError if it is none of these, or has other bins."""
        try:
            for name, bins in plain["lengths"].items():
                if tuple(bins["edges"]) != EDGES[name] or len(bins["counts"]) != len(bins["edges"]):
                    raise ValueError(f"other bins of {name!r}")  # noqa: TRY301 -- one explanation for all that can differ
            return cls(
                alignments=int(plain["alignments"]),
                **{name: Counter(plain[name]) for name in ("shapes", "skips", "notes")},
                lengths={name: tuple(bins["counts"]) for name, bins in plain["lengths"].items()},
                attributes={name: Counter(values) for name, values in plain["attributes"].items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ShardError(
                f"These are no statistics of alignments of this version ({type(error).__name__}: {error}). "
                "Delete the shard they belong to and run again."
            ) from error

    def rows(self) -> list[Row]:
        """Return all counts as rows of tables."""
        return [
            *_by_count("links by shape", self.shapes),
            *_by_count("left out", self.skips),
            *_by_count("of those that stay", self.notes, self.alignments),
            *(row for name, bins in self.lengths.items() for row in _histogram(name, EDGES[name], bins)),
            *(row for name in sorted(self.attributes) for row in _attribute(name, self.attributes[name])),
        ]

    def markdown(self, title: str) -> str:
        """Return a Markdown page with a table for each group of `rows`."""
        groups: dict[str, list[Row]] = {}
        for row in self.rows():
            groups.setdefault(row.group, []).append(row)
        parts = [f"# {title}", f"{sum(self.shapes.values())} links, {self.alignments} alignments."]
        for group, rows in groups.items():
            parts += [f"## {group}", markdown_table(("", "number", "share"), [row[1:] for row in rows])]
        return "\n\n".join(parts) + "\n"


def _measures(alignment: Alignment) -> tuple[float, ...]:
    """Return the measures of an alignment in the order of `EDGES`."""
    texts = alignment.one, *alignment.two
    ratio = width(texts[0]) / max(1, width(texts[1]) + width(texts[2]))
    return (*map(len, texts), *(len(text.split()) for text in texts), ratio)


def _number(text: str) -> float | None:
    """Return the finite number that a text is, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _rounded(text: str) -> str:
    """Return a number with two significant digits, so that there are few values; any other text unchanged."""
    number = _number(text)
    return text if number is None else f"{float(f'{number:.2g}') + 0.0:g}"


def _limited(values: Counter[str]) -> Counter[str]:
    """Return the values with the smallest digests. Those of a whole are also those of its parts, so sums agree."""
    if len(values) <= _MAX_VALUES:
        return values
    return Counter({value: values[value] for value in heapq.nsmallest(_MAX_VALUES, values, key=_digest)})


def _digest(value: str) -> bytes:
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _by_count(group: str, counts: Mapping[str, int], whole: int | None = None) -> Iterator[Row]:
    whole = sum(counts.values()) if whole is None else whole
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield Row(group, name, count, _bar(count, whole))


def _histogram(group: str, edges: Sequence[float], counts: Sequence[int]) -> Iterator[Row]:
    """Yield a row per bin from the first to the last that is not empty; the median is marked."""
    used = [n for n, count in enumerate(counts) if count]
    median = bisect_left([*accumulate(counts)], sum(counts) / 2)
    for n in range(used[0], used[-1] + 1):
        upper = f"up to {edges[n + 1]:g}" if n + 1 < len(edges) else "and more"
        name = f"{edges[n]:g} {upper}{' (median)' if n == median else ''}"
        yield Row(group, name, counts[n], _bar(counts[n], sum(counts)))


def _attribute(name: str, values: Mapping[str, int]) -> Iterator[Row]:
    """Yield ten ranges of an attribute that is numeric, the most frequent values of any other."""
    group = f"attribute {name}" + (f" ({_MAX_VALUES} of its values)" if len(values) >= _MAX_VALUES else "")
    whole = sum(values.values())
    numbers = sorted((number, count) for text, count in values.items() if (number := _number(text)) is not None)
    if len(numbers) <= _MAX_ROWS or sum(count for _, count in numbers) <= 0.9 * whole:
        yield from [*_by_count(group, values)][:_MAX_ROWS]
        return
    least, step = numbers[0][0], (numbers[-1][0] - numbers[0][0]) / _MAX_ROWS
    counts = [0] * _MAX_ROWS
    for number, count in numbers:
        counts[min(_MAX_ROWS - 1, int((number - least) / step))] += count
    for n, count in enumerate(counts):
        yield Row(group, f"{least + n * step:.3g} to {least + (n + 1) * step:.3g}", count, _bar(count, whole))


def _bar(count: int, whole: int) -> str:
    return "█" * round(_BAR * count / whole) + f" {count / whole:.1%}" if whole else ""
