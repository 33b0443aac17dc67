"""Write the annotation page: one HTML file that works offline and saves its answers to a file."""

import json
from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus import offline_page
from bitext_pivot.research.assessment.sampling import Design, Question, fingerprint

_NOTE = "Each of the {} items is a long sentence and the sentences that should have its meaning."


def page(title: str, items: Sequence[Question], design: Design) -> str:
    """Return the HTML file. It has texts and their languages only: no ids, labels or scores, no controls or systems."""
    texts = [{name: item.pair[name] for name in ("language", "long", "split")} for item in items]
    data = {"design": design.model_dump(), "sha256": fingerprint(items), "items": texts}
    return offline_page.render(
        Path(__file__).parent, title, json.dumps(data), _NOTE.format(len(items))
    )


def write(path: Path, title: str, items: Sequence[Question], design: Design) -> None:
    """Write the page. Raises ShardError if the file cannot be written."""
    atomic.write_text(path, page(f"{title}: assessment", items, design))
