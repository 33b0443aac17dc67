"""The examples of a training: which rows are learned from, and what outputs are compared with."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.site import Site
from bitext_pivot.flows.train_settings import TrainModel


def test_a_model_of_the_adaptive_loss_is_scored_against_the_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It learns targets that are edited near the split alone; to score it against them would flatter it."""
    from bitext_pivot.corpus import reading
    from bitext_pivot.research.tasks import training_examples

    def rows(_folder: str, *, subset: str, **_: Any) -> Iterator[dict[str, Any]]:
        long, first = f"It rained in {subset}, so we all stayed.", f"It poured in {subset}."
        split_at = long.index("so")
        yield {
            "long": long,
            "split": [first, "We stayed."],
            "split_at": split_at,
            "category_bisect": "Direct Insertion",
        }

    monkeypatch.setattr(reading, "read_rows", rows)
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    form = TrainModel(task="split", data=[str(tmp_path)], variant="pairs", loss="adaptive")
    (test,), parts = training_examples.read(form, Site(home=tmp_path), Counter())
    assert [example.target for example in parts.train] == [
        "It rained in train. <SEP> So we all stayed."
    ]
    assert [example.target for example in parts.test] == ["It poured in test. <SEP> We stayed."]
    assert test.references == [["It poured in test. <SEP> We stayed."]]
