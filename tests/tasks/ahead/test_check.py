"""Check: what it writes into the log."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builds import DOCUMENTS, tiny, write_corpus

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.hub import device
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.unfuse_settings import UnfuseText

ENGLISH = "The children stayed at home because it had rained all night long."
SPANISH = "Los niños se quedaron en casa porque había llovido durante toda la noche."
FRENCH = "Il a plu toute la nuit, et les enfants sont restés à la maison pour lire un livre."
TWO = "It had rained all night long. The children stayed at home to read a book."


@pytest.fixture
def stage() -> Any:
    """The module, imported before the test: Prefect replaces the handlers of the log when it is imported."""
    from bitext_pivot.tasks.ahead import check

    return check


def is_missing() -> None:
    raise LookupError("no CUDA GPU was found")


@pytest.mark.quickstart
@pytest.mark.parametrize("recipe", ["build", "unfuse"])
def test_a_warning_of_texts_enters_the_log_once_and_the_card(
    recipe: str, stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    (tmp_path / "texts").mkdir()
    for name, text, first in (
        ("wrong.en", ENGLISH, TWO),
        ("wrong.fr", SPANISH, FRENCH),
        ("texts/a.txt", SPANISH, ""),
    ):
        (tmp_path / name).write_text(f"{first}\n" + f"{text}\n" * 9, encoding="utf-8")
    form: Any = UnfuseText.model_validate(
        {"own": [str(tmp_path / "texts")], "parser": tiny()["parser"], "corpora": []}
    )
    if recipe == "build":
        own = [str(tmp_path / "wrong")]
        form = PivotBitext.model_validate({"pivot": "fr", **tiny(corpora=[], own=own)})
    _, signature = stage.check(form, Site(home=tmp_path / "home"))
    (warning,) = signature["warnings"]
    assert "seem to be Spanish, not" in warning and caplog.messages.count(warning) == 1
    division = {"division": {"validation": 0.05}}
    facts = BuildFacts(
        title="", signature={**signature, "settings": division, "trial": {"warning": "few."}}
    )
    assert facts.warning == f"{warning} few."
    rows = replace(facts, counts=Counts.read({"subset": {"train": 99}}))
    assert rows.warning.startswith(f"{warning} few. Far from their shares: ")


@pytest.mark.quickstart
def test_the_log_names_the_device_of_each_library(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(device, "log_lines", {})
    for library in ("CTranslate2", "PyTorch"):
        device.choose_device("auto", library, is_missing)
    site = Site(home=tmp_path, opus=str(write_corpus(tmp_path / "opus", DOCUMENTS)))
    with caplog.at_level(logging.INFO, logger="bitext_pivot"):
        stage.check(PivotBitext.model_validate({"pivot": "fr", **tiny()}), site)
    assert "CTranslate2 runs on the CPU (no CUDA GPU was found)." in caplog.messages
    assert "PyTorch runs on the CPU (no CUDA GPU was found)." in caplog.messages
