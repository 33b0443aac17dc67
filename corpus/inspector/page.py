"""Build the inspector's page from judged pairs: a sample of bounded size, compressed inside the HTML file.

corpus/offline_page.py makes the file; it asks for nothing outside itself.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus import offline_page
from corpus.draw import Draw
from corpus.rows import Row

LIMIT = 50_000
"""Pairs of a page at most, so that browsers open and filter it without noticeable waiting."""
_UNSHOWN = frozenset({"engine", "link"})


class Sample:
    """At most `limit` pairs of a build, drawn evenly among kept and among rejected ones (corpus/draw.py).

    Each verdict has a right to half of the places; places that one does not need are for the other. Memory holds the
    JSON of `limit` pairs.
    """

    def __init__(self, kept: Draw, rejected: Draw, limit: int = LIMIT) -> None:
        self._seen = {"kept": kept.seen, "rejected": rejected.seen}
        places = min(kept.seen, max(limit // 2, limit - rejected.seen))
        self._drawn = {"kept": {*kept.positions(places)}, "rejected": {*rejected.positions(limit - places)}}
        self._positions = set().union(*self._drawn.values())
        self.rows: list[str] = []
        """The JSON of the pairs drawn so far."""

    def add(self, position: int, row: Row, rejected_by: str | None) -> None:
        """Keep the row of the pair at a position if it was drawn."""
        if position in self._positions:
            self.rows.append(json.dumps(shown(row, rejected_by), ensure_ascii=False, separators=(",", ":")))

    def note(self) -> str:
        """Return which pairs were drawn, in a sentence."""
        if (total := sum(self._seen.values())) == len(self._positions):
            return f"It has all {total:,} pairs, kept and rejected."
        counts = (f"{len(drawn):,} of {self._seen[name]:,} {name}" for name, drawn in self._drawn.items())
        return f"It has a sample, the same in every build: {' and '.join(counts)} pairs."


def shown(row: Row, rejected_by: str | None) -> dict[str, Any]:
    """Return what the page shows of a row, and the filter that rejected it or None."""
    columns = {name: value for name, value in row.items() if name not in _UNSHOWN}
    scores = {name: round(score, 4) for name, score in row["scores"].items()}
    return {**columns, "scores": scores, "rejected_by": rejected_by}


def page(title: str, sample: Sample, limits: Mapping[str, Mapping[str, float]]) -> str:
    """Return the HTML file. The same pairs give the same bytes (with the same version of zlib).

    `limits` are the thresholds of each filter, `min_...` and `max_...`, to be shown beside its score.
    """
    data = f'{{"limits":{json.dumps(limits)},"pairs":[{",".join(sample.rows)}]}}'
    return offline_page.render(Path(__file__).parent, title, data, sample.note())
