"""The confidence of translations in a build: scores, the threshold of the model, and a quantile of the build."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builds import QUICKSTART, quickstart, rows

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.flows.settings import PivotBitext

pytestmark = [pytest.mark.nightly, pytest.mark.quickstart]


def settings(**confidence: float) -> PivotBitext:
    """Three shards of the quickstart's French bitext, without model-based filters' thresholds in the way."""
    filters = {
        "advanced": {"confidence": confidence, "bertscore": {"min_score": -1}, "meaning": {"min_similarity": -1}}
    }
    return PivotBitext.model_validate(quickstart(shard_rows=12, extraction={"max_links": 60}, filters=filters))


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
    return [pair for path in sorted(folder.glob("judged-*/*.parquet")) for pair in shards.read(path, JudgedPair)]


def planned(form: PivotBitext) -> Any:
    """The row of the table of what is built."""
    from bitext_pivot.tasks.run.plan import plan

    tables = plan(form, Site()).tables
    return next(table for table in tables if table.title.startswith("Built")).rows[0]


def stated(folder: Path) -> str:
    return str(json.loads((folder / "stats.json").read_text(encoding="utf-8"))["signature"]["min_confidence"])


def test_the_quickstarts_model_has_its_threshold_and_a_quantile_decides(
    french: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    data_set = pivot_bitext(settings())
    assert stated(data_set) == "0.6: measured for the model"
    pairs = judged(french)
    assert all(len(one.pair.confidences) == (2 if one.pair.translated == "split" else 1) for one in pairs)
    assert all(one.scored.scores["confidence"] == min(one.pair.confidences) for one in pairs)
    assert 0.6 <= rows(data_set)[0]["scores"]["confidence"] <= 1
    others = {path: path.stat().st_mtime_ns for path in french.glob("[ps]*-*/*.parquet")}

    monkeypatch.setattr("bitext_pivot.tasks.calibrate.min_confidence", lambda _: None)
    data_set = pivot_bitext(settings(quantile=0.4))
    origin = stated(data_set)
    assert f"40 % quantile of the {len(pairs)} pairs of this build" in origin
    verdicts = Counter(one.rejected_by for one in judged(french))  # of both builds
    assert verdicts["confidence"] > 0.2 * len(pairs)
    assert {path: path.stat().st_mtime_ns for path in french.glob("[ps]*-*/*.parquet")} == others
    assert planned(settings(quantile=0.4))[1:] == ("3", "3 of 3", "3 of 3", "3 of 3", "3 of 3")
    assert planned(settings(quantile=0.3))[1:] == ("3", "3 of 3", "3 of 3", "3 of 3", "0 of 3")


def test_a_quantile_waits_for_every_shard(french: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext
    from bitext_pivot.tasks import translate

    monkeypatch.setattr("bitext_pivot.tasks.calibrate.min_confidence", lambda _: None)
    for path in [*french.glob("judged-*/*"), *french.glob("*/Everyday-v1-00001.parquet")]:
        if not path.parent.name.startswith("alignments-"):
            path.unlink(missing_ok=True)
    whole = translate._pairs

    def fail(shard: Path, *others: Any) -> Any:
        if shard.stem.endswith("00001"):
            raise ShardError("no memory")
        return whole(shard, *others)

    monkeypatch.setattr(translate, "_pairs", fail)
    with pytest.raises(ShardError, match=r"1 of 3 shards were not built. .*Everyday-v1-00001: no memory"):
        pivot_bitext(settings())
    assert len(list(french.glob("scored-*/*.parquet"))) == 2
    assert judged(french) == []
    assert planned(settings())[1:] == ("3", "2 of 3", "2 of 3", "2 of 3", "-")
    monkeypatch.setattr(translate, "_pairs", whole)
    assert stated(pivot_bitext(settings())).endswith("pairs of this build")
    assert planned(settings())[1:] == ("3", "3 of 3", "3 of 3", "3 of 3", "3 of 3")
