"""What a corpus's alignments look like: shapes, lengths, link attributes, and why the rest was left out.

Statistics add up: those of two parts together are the sum of the parts' own, so each shard can carry its part in the
JSON beside it. Nothing in them grows with the corpus.
"""

import hashlib
import heapq
import math
from bisect import bisect_right
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
"""Lower edges of the bins of each measure. Tokens are what stands between blanks; the ratio is one of widths."""
_VALUES = 500  # different values kept of an attribute
_SHOWN = 10
_BAR = 20
_UNIQUE = frozenset({"id"})  # attributes that tell nothing about a link but which it is
_BINS = dict[str, tuple[int, ...]]


class Row(NamedTuple):
    """A line of a table: what it belongs to, what is counted, how often, and a bar of its share."""

    group: str
    name: str
    number: int
    bar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts of some alignments of a corpus and of the links they were found among."""

    alignments: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    lengths: _BINS = field(default_factory=dict)
    """Alignments by bin of `EDGES`, for each measure; a measure without any has no entry."""
    attributes: dict[str, Counter[str]] = field(default_factory=dict)
    """Alignments by value of each attribute; numbers are rounded to two digits. Of more than 500 different values, the
    500 with the smallest digests are kept, a choice that does not depend on the order."""

    @classmethod
    def of(
        cls,
        alignments: Iterable[Alignment],
        shapes: Mapping[str, int],
        skips: Mapping[str, int],
        notes: Mapping[str, int] | None = None,
    ) -> Self:
        """Count alignments, in one pass; `shapes`, `skips` and `notes` are those of their batches, added up."""
        number = 0
        bins = {measure: [0] * len(edges) for measure, edges in EDGES.items()}
        attributes: dict[str, Counter[str]] = {}
        for number, alignment in enumerate(alignments, 1):  # noqa: B007 -- the last number is the count
            for (measure, edges), value in zip(EDGES.items(), _measures(alignment), strict=True):
                bins[measure][bisect_right(edges, value) - 1] += 1
            for name, text in alignment.attributes.items():
                if name not in _UNIQUE:
                    _count(attributes.setdefault(name, Counter()), _rounded(text))
        return cls(
            alignments=number,
            shapes=_counted(shapes),
            skips=_counted(skips),
            notes=_counted(notes or {}),
            lengths={measure: tuple(counts) for measure, counts in bins.items()} if number else {},
            attributes={name: _least(values) for name, values in attributes.items()},
        )

    def __add__(self, other: "Statistics") -> "Statistics":
        names = self.attributes.keys() | other.attributes.keys()
        mine, theirs = self.attributes, other.attributes
        return Statistics(
            alignments=self.alignments + other.alignments,
            shapes=self.shapes + other.shapes,
            skips=self.skips + other.skips,
            notes=self.notes + other.notes,
            lengths=_added(self.lengths, other.lengths),
            attributes={name: _least(mine.get(name, Counter()) + theirs.get(name, Counter())) for name in names},
        )

    def plain(self) -> dict[str, Any]:
        """Return a JSON object that `read` takes back; it names the edges of the bins."""
        lengths = {name: {"edges": list(EDGES[name]), "counts": list(bins)} for name, bins in self.lengths.items()}
        counts = {name: dict(getattr(self, name)) for name in ("shapes", "skips", "notes")}
        attributes = {name: dict(values) for name, values in self.attributes.items()}
        return {"alignments": self.alignments, **counts, "lengths": lengths, "attributes": attributes}

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Self:
        """Return what `plain` was made of; raises ShardError when it is something else or has other bins."""
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
        """Return all counts as lines for a table, with a bar of each line's share of its group."""
        return [
            *_by_count("links by shape", self.shapes),
            *_by_count("left out", self.skips),
            *_by_count("of those that stay", self.notes, self.alignments),
            *(row for name, bins in self.lengths.items() for row in _histogram(name, EDGES[name], bins)),
            *(row for name in sorted(self.attributes) for row in _attribute(name, self.attributes[name])),
        ]

    def markdown(self, title: str) -> str:
        """Return a page with a table for each group of `rows`."""
        groups: dict[str, list[Row]] = {}
        for row in self.rows():
            groups.setdefault(row.group, []).append(row)
        parts = [f"# {title}", f"{sum(self.shapes.values())} links, {self.alignments} alignments."]
        for group, rows in groups.items():
            parts += [f"## {group}", markdown_table(("", "number", "share"), [row[1:] for row in rows])]
        return "\n\n".join(parts) + "\n"


def _measures(alignment: Alignment) -> tuple[float, ...]:
    """Return the numbers of `EDGES`, in its order."""
    texts = alignment.one, *alignment.two
    widths = [*map(width, texts)]
    ratio = widths[0] / max(1, widths[1] + widths[2])
    return (*map(len, texts), *(len(text.split()) for text in texts), ratio)


def _rounded(text: str) -> str:
    """Return a number to two significant digits, so that there are few different ones; anything else as it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{float(f'{number:.2g}') + 0.0:g}" if math.isfinite(number) else text


def _count(values: Counter[str], value: str) -> None:
    values[value] += 1
    if len(values) >= 4 * _VALUES:
        kept = _least(values)
        values.clear()
        values.update(kept)


def _least(values: Counter[str]) -> Counter[str]:
    """Keep the values with the smallest digests: who is among them in the whole is so in each part, so sums agree."""
    if len(values) <= _VALUES:
        return values
    return Counter({value: values[value] for value in heapq.nsmallest(_VALUES, values, key=_digest)})


def _digest(value: str) -> bytes:
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _counted(counts: Mapping[str, int]) -> Counter[str]:
    return +Counter(counts)


def _added(one: _BINS, other: _BINS) -> _BINS:
    if not one or not other:
        return one or other
    return {name: tuple(a + b for a, b in zip(one[name], other[name], strict=True)) for name in one}


def _by_count(group: str, counts: Mapping[str, int], whole: int | None = None) -> Iterator[Row]:
    whole = sum(counts.values()) if whole is None else whole
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield Row(group, name, count, _bar(count, whole))


def _histogram(group: str, edges: Sequence[float], counts: Sequence[int]) -> Iterator[Row]:
    """Yield a line a bin, from the first to the last that is not empty, the median's marked."""
    used = [place for place, count in enumerate(counts) if count]
    half = sum(counts) / 2
    median = next(place for place, below in enumerate(accumulate(counts)) if below >= half)
    for place in range(used[0], used[-1] + 1):
        upper = f"up to {edges[place + 1]:g}" if place + 1 < len(edges) else "and more"
        name = f"{edges[place]:g} {upper}{' (median)' if place == median else ''}"
        yield Row(group, name, counts[place], _bar(counts[place], sum(counts)))


def _attribute(name: str, values: Mapping[str, int]) -> Iterator[Row]:
    """Yield deciles of an attribute that is numbers, the commonest values of another."""
    group = f"attribute {name}" + (f" ({_VALUES} of its values)" if len(values) >= _VALUES else "")
    numbers = sorted((float(value), count) for value, count in values.items() if _is_number(value))
    whole = sum(values.values())
    if len(numbers) > _SHOWN and sum(count for _, count in numbers) > 0.9 * whole:
        yield from _ranges(group, numbers, whole)
        return
    shown = Counter(values).most_common()
    shown.sort(key=lambda item: (-item[1], item[0]))
    yield from (Row(group, value, count, _bar(count, whole)) for value, count in shown[:_SHOWN])


def _ranges(group: str, numbers: Sequence[tuple[float, int]], whole: int) -> Iterator[Row]:
    """Yield ten lines of equal breadth between the least and the greatest number."""
    least, greatest = numbers[0][0], numbers[-1][0]
    step = (greatest - least) / _SHOWN
    counts = [0] * _SHOWN
    for number, count in numbers:
        counts[min(_SHOWN - 1, int((number - least) / step))] += count
    for place, count in enumerate(counts):
        yield Row(group, f"{least + place * step:.3g} to {least + (place + 1) * step:.3g}", count, _bar(count, whole))


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _bar(count: int, whole: int) -> str:
    return "█" * round(_BAR * count / whole) + f" {count / whole:.1%}" if whole else ""
