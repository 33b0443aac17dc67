"""Build the inspector's page from the records of a recipe: a sample of bounded size, compressed inside the HTML file.

corpus/offline_page.py makes the file, which loads nothing from outside.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from corpus import offline_page
from corpus.draw import Draw
from corpus.export import Placed
from corpus.recipe import View

LIMIT = 50_000
"""Pairs of a page at most, so that browsers open and filter it without noticeable waiting."""


class Sample:
    """At most `limit` pairs of a build, drawn evenly among kept and among rejected ones (corpus/draw.py).

    Half of the sample is for each verdict; what one verdict does not need is for the other. Memory holds the
    JSON of `limit` pairs.
    """

    def __init__(self, view: View, draws: Mapping[str, Draw], limit: int = LIMIT) -> None:
        self.view = view
        kept_draw, rejected_draw = draws["kept"], draws["rejected"]
        self._seen = {"kept": kept_draw.seen, "rejected": rejected_draw.seen}
        quota = min(kept_draw.seen, max(limit // 2, limit - rejected_draw.seen))
        self._drawn = {"kept": {*kept_draw.positions(quota)}, "rejected": {*rejected_draw.positions(limit - quota)}}
        self._positions = set().union(*self._drawn.values())
        self._position = 0
        self.rows: list[str] = []
        """The JSON of the pairs drawn so far."""

    def add(self, batch: Placed) -> None:
        """Keep those of the next records of the build that were drawn."""
        end = self._position + len(batch.rejected_by)
        drawn = [n - self._position for n in range(self._position, end) if n in self._positions]
        for record, position in zip(batch.pick(drawn), drawn, strict=True):
            row = {**self.view.row(record), "rejected_by": batch.rejected_by[position]}
            self.rows.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
        self._position = end

    def note(self) -> str:
        """Return which pairs were drawn, in a sentence."""
        if (total := sum(self._seen.values())) == len(self._positions):
            return f"It has all {total:,} pairs, kept and rejected."
        counts = (f"{len(drawn):,} of {self._seen[name]:,} {name}" for name, drawn in self._drawn.items())
        return f"It has a sample, the same in every build: {' and '.join(counts)} pairs."


def page(title: str, sample: Sample, limits: Mapping[str, Mapping[str, float]]) -> str:
    """Return the HTML file. The same pairs give the same bytes (with the same version of zlib).

    `limits` are the thresholds of each filter, `min_...` and `max_...`, to be shown beside its score.
    """
    head = json.dumps({"limits": limits, **sample.view.layout()})
    data = f'{head[:-1]},"pairs":[{",".join(sample.rows)}]}}'
    titles = {name: text.lower() for name, text in sample.view.titles.items()}
    return offline_page.render(Path(__file__).parent, title, data, sample.note(), **titles)
