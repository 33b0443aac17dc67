"""A build whose pairs are judged by a model of a server: verdicts, columns and the card."""

import json
from pathlib import Path
from typing import Any

import pytest
import web
from builds import QUICKSTART, rows, tiny
from endpoints import Court, verdict

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.flows.pivot_settings import PivotBitext

CHECKS = read_toml(QUICKSTART.parent / "filters" / "neural" / "grading.toml")["check"]


def build(**judge: Any) -> Path:
    """Build Tiny/v1 with a judge; return the data set."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    advanced = {"judge": {"model": "careful", **judge}}
    form = tiny(filters={"preset": "paper", "advanced": advanced}, export={"formats": ["jsonl"]})
    return pivot_bitext(PivotBitext.model_validate(form))


def test_a_build_is_judged_and_says_what_it_took(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = Court()
    court.checks = {check["split"][0]: check["is_good"] for check in CHECKS}
    court.faults = {
        "teacher": verdict(says_no_more="no"), "roses": verdict(fluent="partly"),
    }  # fmt: skip
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with web.serve(court) as address:
        monkeypatch.setenv("BITEXT_PIVOT_ENDPOINT", f"{address}/v1")
        folder = build()
        read = court.asked("careful")
        again = build(min_grade=0)
    assert court.asked("careful") == read
    kept, rejected = rows(folder), rows(folder, "rejected")
    judged = [row for row in kept + rejected if row["scores"].get("judge") is not None]
    assert len(judged) == read == 2
    assert [row["rejected_by"] for row in judged if "teacher" in row["long"]] == ["judge"]
    assert {row["scores"]["judge.fluent"] for row in judged} == {0.5, 1}
    assert len(kept) == 1 and len(rows(again)) == 2
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "judged the pairs that all other filters accept: `careful`." in card
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    assert {"name": "filter judge", "rows": 1, "lost": {"judge": 1}} in stats["funnel"]
