"""Write the annotation page: one HTML file that works offline and saves the answers to a file."""

import json
from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus import offline_page
from bitext_pivot.research.assessment.sample_design import AssessmentItem, SampleDesign, fingerprint

_NOTE = "Each of the {} items is a long sentence and the sentences that should have its meaning."


def render_page(title: str, items: Sequence[AssessmentItem], design: SampleDesign) -> str:
    """Return the HTML of the annotation page.

    The page contains the texts and their languages only. Ids, labels, scores and names of systems are left out, and
    nothing marks the control items, which check the annotators.
    """
    texts = [{name: item.pair[name] for name in ("language", "long", "split")} for item in items]
    data = {"design": design.model_dump(), "sha256": fingerprint(items), "items": texts}
    return offline_page.render(
        Path(__file__).parent, title, json.dumps(data), _NOTE.format(len(items))
    )


def write(path: Path, title: str, items: Sequence[AssessmentItem], design: SampleDesign) -> None:
    """Write the annotation page. Raises ShardError if the file cannot be written."""
    atomic.write_text(path, render_page(f"{title}: assessment", items, design))
