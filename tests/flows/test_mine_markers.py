"""The flow of Discovery over the quickstart's documents, against a real Prefect server."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from builds import rows

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.flows import presets
from bitext_pivot.flows.mine_settings import MineMarkers


def form(**changes: Any) -> MineMarkers:
    return MineMarkers.model_validate({**presets.load("demo", presets.FOLDER / "mine"), **changes})


@pytest.mark.quickstart
def test_documents_become_variants_and_high_thresholds_are_refused(home: Path) -> None:
    from bitext_pivot.flows.mine_markers import mine_markers
    from bitext_pivot.tasks.ahead.refusals import finished_before

    folder = mine_markers(form())
    assert finished_before(form(), Site()) == folder
    assert finished_before(form(selection={}), Site()) is None
    base, shuffled, hard = (rows(folder, kind) for kind in ("base", "shuffled", "hard"))
    by_marker = Counter(row["marker"] for row in base)
    assert {"however", "therefore", "nevertheless", "moreover"} <= {*by_marker} and {
        *by_marker.values()
    } == {4}
    assert Counter(row["marker"] for row in hard) == by_marker
    assert not [row for row in base if row["second"].lower().startswith(row["marker"])]
    assert {row["id"]: row["original"] for row in base} == {
        row["id"]: row["original"] for row in shuffled
    }
    assert Counter(row["second"] for row in base) == Counter(row["second"] for row in shuffled)
    assert {"rare marker", "in no variant", "marker off in strict"} <= {
        row["rejected_by"] for row in rows(folder, "rejected")
    }
    released = (folder / "base" / "train-00000.tsv").read_text(encoding="utf-8").splitlines()
    aligned = [(folder / "base" / f"train-00000.{name}").read_text(encoding="utf-8").splitlines()
               for name in ("s1", "s2", "labels")]  # fmt: skip
    assert released == [
        "sentence1\tsentence2\tlabel",
        *("\t".join(row) for row in zip(*aligned, strict=True)),
    ]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Markers" in card and "sileo-etal-2019-mining" in card
    with pytest.raises(
        SettingsError, match=r"No marker has 10,000 pairs \(selection.min_count\).*: therefore 1"
    ):
        mine_markers(form(selection={}))


def test_languages_without_a_list_have_adverbs() -> None:
    assert form(language="fi").candidates.adverbs
