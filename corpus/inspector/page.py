"""Build the page of the inspector from a sample of the records of a build.

The page is one HTML file that loads nothing (corpus/offline_page.py).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bitext_pivot.core.sampling import HashSample
from bitext_pivot.corpus import offline_page
from bitext_pivot.corpus.recipe import RowView

LIMIT = 50_000
"""Maximum number of records in a page, so that browsers open and filter it without noticeable delay."""


class InspectorSample:
    """A sample of at most `limit` records of a build, drawn by hashes of their ids.

    Half of the sample is for kept and half for rejected records. If there are fewer kept records, more rejected records
    are drawn, and vice versa. The JSON of up to twice `limit` records is held in memory.
    """

    def __init__(self, view: RowView, limit: int = LIMIT) -> None:
        self.view, self.limit = view, limit
        self._kept = HashSample[tuple[int, str]](limit)
        self._rejected = HashSample[tuple[int, str]](limit)

    def add(self, record: Any, row: Mapping[str, Any], rejected_by: str | None) -> None:
        """Process the next record of the build."""
        sample = self._kept if rejected_by is None else self._rejected
        sample.add(row["id"], lambda: (self._seen, self._json(record, row, rejected_by)))

    @property
    def _seen(self) -> int:
        return self._kept.seen + self._rejected.seen

    def _json(self, record: Any, row: Mapping[str, Any], rejected_by: str | None) -> str:
        shown = {**self.view.row(record), "rejected_by": rejected_by}
        if row.get("trust") is not None:
            shown["scores"] = {**shown["scores"], "trust": row["trust"]}
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))

    @property
    def _quota(self) -> int:
        """Number of kept records in the sample."""
        return min(self._kept.seen, max(self.limit // 2, self.limit - self._rejected.seen))

    @property
    def rows(self) -> list[str]:
        """The sampled records as JSON, in the order of the build."""
        numbered = [
            *self._kept.values(self._quota),
            *self._rejected.values(self.limit - self._quota),
        ]
        return [text for _, text in sorted(numbered)]

    def note(self) -> str:
        """Return a sentence that says which records the page contains."""
        if self._seen <= self.limit:
            return f"It contains all {self._seen:,} pairs, kept and rejected."
        rejected = min(self._rejected.seen, self.limit - self._quota)
        counts = f"{self._quota:,} of {self._kept.seen:,} kept and {rejected:,} of {self._rejected.seen:,} rejected"
        return f"It contains a sample, which is the same in every build: {counts} pairs."


def inspector_page(
    title: str, inspected: InspectorSample, limits: Mapping[str, Mapping[str, float]]
) -> str:
    """Return the inspector page as HTML.

    Equal records give equal bytes, with the same version of zlib. `limits` has the thresholds of each filter, `min_...`
    and `max_...`. The page shows them next to the filter's score.
    """
    head = json.dumps({"limits": limits, **inspected.view.layout()})
    data = f'{head[:-1]},"pairs":[{",".join(inspected.rows)}]}}'
    titles = {name: text.lower() for name, text in inspected.view.titles.items()}
    return offline_page.render(Path(__file__).parent, title, data, inspected.note(), **titles)
