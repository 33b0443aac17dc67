"""Scoring by a task: its progress is told while it goes on, and cutting it up changes no number."""

import logging
from pathlib import Path

import pytest
from factories import flat, parsed

from bitext_pivot.core.languages import section
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.tasks.score import score

FILTERS = Filters.model_validate({"preset": "paper"})
PAIRS = [
    parsed(
        flat(f"he/PRON saw/VERB {n}/NUM cats/NOUN"),
        flat("he/PRON saw/VERB"),
        flat(f"it/PRON was/VERB {n}/NUM"),
    )
    for n in range(10)
]


@pytest.mark.parametrize(("at_once", "reports"), [(4, [4, 8, 10]), (10, [10]), (100, [10])])
def test_progress_is_reported_and_leaves_the_scores_alone(
    at_once: int,
    reports: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("bitext_pivot.tasks.score._AT_ONCE", at_once)
    monkeypatch.setattr("bitext_pivot.core.progress._EVERY", 0.0)
    site = Site(home=tmp_path, device="cpu", threads=1)
    caplog.set_level(logging.INFO)
    run = score(FILTERS, "en", site).run
    assert run is not None
    scored, skips = run(PAIRS, "Tiny-v1-00000", {})
    told = [message for message in caplog.messages if message.startswith("score ")]
    assert [message.partition(",")[0] for message in told] == [
        f"score Tiny-v1-00000: {number} of 10 pairs" for number in reports
    ]
    assert not skips
    assert scored == FILTERS.score(PAIRS, Runtime.of(site))


def test_a_change_of_the_data_of_the_language_is_another_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(home=tmp_path, device="cpu", threads=1)
    rules = Filters.model_validate({"preset": "rules"})
    shard = tmp_path / "parsed-0" / "Tiny-v1-00000.parquet"

    def path(language: str) -> Path:
        return score(rules, language, site).target(shard).path

    english, german = path("en"), path("de")
    monkeypatch.setitem(section("en", "numbers"), "added", ["word"])
    assert path("en") != english
    assert path("de") == german
