"""The confidence of translations in a build: scores, and the threshold of the model."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builds import QUICKSTART, quickstart, rows

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.flows.pivot_settings import PivotBitext

pytestmark = [pytest.mark.nightly, pytest.mark.quickstart]


def settings(**confidence: float) -> PivotBitext:
    """Three shards of the quickstart's French bitext, without model-based filters' thresholds in the way."""
    filters = {
        "advanced": {
            "confidence": confidence,
            "bertscore": {"min_score": -1},
            "meaning": {"min_similarity": -1},
        }
    }
    return PivotBitext.model_validate(
        quickstart(shard_rows=12, extraction={"max_links": 60}, filters=filters)
    )


@pytest.fixture(scope="module")
def french(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of builds that read the quickstart's bitext; the second test goes on from the first."""
    home = tmp_path_factory.mktemp("french")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BITEXT_PIVOT_HOME", str(home))
        patch.setenv("BITEXT_PIVOT_OPUS", str(QUICKSTART / "opus"))
        patch.chdir(QUICKSTART.parent)
        yield home / "fr-en"


def judged(folder: Path) -> list[JudgedPair]:
    return [
        pair
        for path in sorted(folder.glob("judged-*/*.parquet"))
        for pair in shards.read(path, JudgedPair)
    ]


def planned(form: PivotBitext) -> Any:
    """The row of its corpus in the plan."""
    from bitext_pivot.tasks.ahead.plan import plan

    return plan(form, Site()).tables[0].rows[0]


def stated(folder: Path) -> str:
    return str(
        json.loads((folder / "stats.json").read_text(encoding="utf-8"))["signature"][
            "min_confidence"
        ]
    )


def test_the_quickstarts_model_has_its_threshold_and_others_have_none(
    french: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    data_set = pivot_bitext(settings())
    assert stated(data_set) == "0.65: measured for the model"
    pairs = judged(french)
    assert all(
        len(one.pair.confidences) == (2 if one.pair.translated == "split" else 1) for one in pairs
    )
    assert all(one.scored.scores["confidence"] == min(one.pair.confidences) for one in pairs)
    assert 0.65 <= rows(data_set)[0]["scores"]["confidence"] <= 1
    assert {*planned(settings())[1:]} == {"there"}
    before = set(french.glob("judged-*"))

    monkeypatch.setattr(
        "bitext_pivot.tasks.run.loaded_models.measured_min_confidence", lambda _: None
    )
    unmeasured = stated(pivot_bitext(settings()))
    assert unmeasured == "not filtered: no minimum is measured for the model"
    (new,) = set(french.glob("judged-*")) - before
    assert all(
        one.rejected_by != "confidence"
        for path in new.glob("*.parquet")
        for one in shards.read(path, JudgedPair)
    )
