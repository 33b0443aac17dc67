"""The demo's data sets against readable golden files: every candidate, its verdict and its labels.

Regenerate after a change of models or filters, and read the diff:
    UPDATE_GOLDEN=1 python -m pytest -m system tests/test_demo.py
The demo is built in a clone: `git add` new files before.
"""

import json
import os
from pathlib import Path
from typing import Any

import document_commands
import pytest
from demo import rows_of
from documents import command_blocks
from pack import read_text

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.storage import shards

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
Candidate = dict[str, Any]
pytestmark = pytest.mark.system
EXPECTED = {
    "pasted-token": {"pasted"},
    "pasted-space": {"components"},
    "misaligned": {"overlap", "content_overlap", "bertscore", "meaning"},
    "verbless": {"verbs"},
    "low-overlap": {"overlap"},
    "whole-source": {"overlap", "copies", "content_overlap", "meaning"},
}
"""Which filters may catch a planted defect."""


@pytest.fixture(scope="module")
def demo(clone: Any) -> Path:
    """The folder of what `make demo`, the first block of README.md, builds in a fresh clone."""
    folder: Path = clone.root / "demo"
    document_commands.run(command_blocks()[0], clone)
    return folder


@pytest.fixture(params=["fr", "es"])
def built(request: pytest.FixtureRequest, demo: Path) -> tuple[str, list[Candidate]]:
    """A pivot language and its candidates, in the order of the links."""
    paths = sorted(demo.glob(f"{request.param}-en/judged-*/*.parquet"))
    return request.param, [
        candidate(pair) for path in paths for pair in shards.read(path, JudgedPair)
    ]


def candidate(judged: JudgedPair) -> Candidate:
    """Return the golden fields of a candidate; the last digits of scores depend on the processor."""
    return {
        "id": judged.pair.id,
        "rejected_by": judged.rejected_by,
        "category": judged.category,
        "category_bisect": judged.category_bisect,
        "construction": judged.construction,
        "long": judged.pair.long,
        "split": list(judged.pair.split),
    }


def texts(line: Candidate) -> tuple[str, list[str]]:
    return line["long"], line["split"]


def is_near_a_threshold(ours: Candidate, theirs: Candidate) -> bool:
    """Return True if only the verdict of a model differs, whose last digits depend on the processor.

    The encoder computes in bfloat16 where the processor can. `Everyday/v1/en-es:35` has a confidence of 0.6487 with
    AVX2 alone, below the minimum of 0.65, and is kept where AVX-512 is.
    """
    changed = {name for name in ours if ours[name] != theirs[name]}
    return changed == {"rejected_by"} and {ours["rejected_by"], theirs["rejected_by"]} <= {
        None,
        "confidence",
        "bertscore",
        "meaning",
        "content_overlap",
    }


def test_the_demo_equals_the_golden_file(built: tuple[str, list[Candidate]]) -> None:
    """Three texts in a hundred may differ: instruction sets change the order of hypotheses of equal probability.

    Between those that could be tried, 3 of 305 did (docs/reproducibility.md). The same texts have the same labels and
    verdicts everywhere.
    """
    pivot, candidates = built
    path = GOLDEN / f"demo-{pivot}-en.jsonl"
    if os.environ.get("UPDATE_GOLDEN"):
        lines = [json.dumps(one, ensure_ascii=False) for one in candidates]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    golden = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [one["id"] for one in candidates] == [one["id"] for one in golden]
    both = list(zip(candidates, golden, strict=True))
    retranslated = [(ours, theirs) for ours, theirs in both if texts(ours) != texts(theirs)]
    assert len(retranslated) <= 0.03 * len(golden), retranslated
    different = [
        (ours, theirs) for ours, theirs in both if texts(ours) == texts(theirs) and ours != theirs
    ]
    near = [is_near_a_threshold(*lines) for lines in different]
    assert all(near), different
    assert len(near) <= 1, different


def test_every_planted_defect_is_caught_by_its_filter(built: tuple[str, list[Candidate]]) -> None:
    pivot, candidates = built
    verdicts = {int(one["id"].rpartition(":")[2]): one["rejected_by"] for one in candidates}
    links = [
        link
        for links in read_text(ROOT / "quickstart" / "text" / f"{pivot}-en.txt").values()
        for link in links
    ]
    planted = {number: link.defect for number, link in enumerate(links, 1) if link.defect}
    assert len(planted) >= 12
    missed = {
        number: (kind, verdicts[number])
        for number, kind in planted.items()
        if verdicts[number] not in EXPECTED[kind]
    }
    assert missed == {}


def test_what_has_no_defect_is_kept(built: tuple[str, list[Candidate]]) -> None:
    pivot, candidates = built
    links = [
        link
        for links in read_text(ROOT / "quickstart" / "text" / f"{pivot}-en.txt").values()
        for link in links
    ]
    clean = [
        one for one in candidates if links[int(one["id"].rpartition(":")[2]) - 1].defect is None
    ]
    kept = [one for one in clean if one["rejected_by"] is None]
    assert len(clean) >= 100
    assert len(kept) >= 0.97 * len(clean)
    assert {one["category"] for one in kept} == {
        "Direct Insertion",
        "Changes Near Split",
        "Changes Across Sentence",
    }


def test_the_join_has_equal_pairs_once_and_their_references_together(demo: Path) -> None:
    pairs, references = (
        rows_of(demo / "join-en" / "latest" / kind) for kind in ("pairs", "references")
    )
    assert {row["pivots"] for row in pairs} == {1, 2}
    assert [row["id"] for row in pairs if len(row["sources"]) == 2]
    assert [row["group"] for row in references if len(row["references"]) == 2]
    assert len({row["group"] for row in references}) < len(references)
