"""Build the inspector's page from the records of a recipe: a sample of bounded size, compressed inside the HTML file.

corpus/offline_page.py makes the file; it asks for nothing outside itself.
"""

import hashlib
import heapq
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus import offline_page
from corpus.recipe import View

LIMIT = 50_000
"""Pairs of a page at most, so that browsers open and filter it without noticeable waiting."""


class Sample:
    """At most `limit` pairs of a build, drawn evenly among kept and among rejected ones.

    Each verdict has a right to half of the places; places that one does not need are for the other. Drawn are the pairs
    with the smallest digests of their ids, so the same pairs in every build, whatever their order. Memory holds the
    JSON of `limit` pairs.
    """

    def __init__(self, view: View, limit: int = LIMIT) -> None:
        self.view, self.limit = view, limit
        self.seen: Counter[str] = Counter()
        """All pairs so far, by verdict: `kept` or `rejected`."""
        self._drawn: dict[str, list[tuple[int, int, str]]] = {"kept": [], "rejected": []}
        """Heaps of (negative digest, position in the build, JSON): the pair to give up next comes first."""

    def add(self, record: Any) -> None:
        """Take a pair into account."""
        verdict, other = ("kept", "rejected") if record.rejected_by is None else ("rejected", "kept")
        position = self.seen.total()
        self.seen[verdict] += 1
        drawn, others = self._drawn[verdict], self._drawn[other]
        digest = hashlib.sha256(self.view.id(record).encode("utf-8", "surrogatepass")).digest()
        rank = (-int.from_bytes(digest[:8], "big"), position)
        if len(drawn) + len(others) < self.limit:
            heapq.heappush(drawn, (*rank, self._json(record)))
        elif len(drawn) < self.limit // 2:
            heapq.heappop(others)
            heapq.heappush(drawn, (*rank, self._json(record)))
        elif rank > drawn[0][:2]:
            heapq.heapreplace(drawn, (*rank, self._json(record)))

    def note(self) -> str:
        """Return which pairs were drawn, in a sentence."""
        if self.seen.total() <= self.limit:
            return f"It has all {self.seen.total():,} pairs, kept and rejected."
        counts = (f"{len(drawn):,} of {self.seen[name]:,} {name}" for name, drawn in self._drawn.items())
        return f"It has a sample, the same in every build: {' and '.join(counts)} pairs."

    def rows(self) -> list[str]:
        """Return the JSON of the pairs drawn, in the order of the build."""
        return [text for _, _, text in sorted((e for heap in self._drawn.values() for e in heap), key=lambda e: e[1])]

    def _json(self, record: Any) -> str:
        return json.dumps(self.view.row(record), ensure_ascii=False, separators=(",", ":"))


def page(title: str, sample: Sample, limits: Mapping[str, Mapping[str, float]]) -> str:
    """Return the HTML file. The same pairs give the same bytes (with the same version of zlib).

    `limits` are the thresholds of each filter, `min_...` and `max_...`, to be shown beside its score.
    """
    head = json.dumps({"limits": limits, **sample.view.layout()})
    data = f'{head[:-1]},"pairs":[{",".join(sample.rows())}]}}'
    titles = {name: text.lower() for name, text in sample.view.titles.items()}
    return offline_page.render(Path(__file__).parent, title, data, sample.note(), **titles)
