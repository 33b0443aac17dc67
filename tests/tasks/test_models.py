"""The models of a build: sizes and what is missing in the plan, commits in the signature, all problems at once."""

from pathlib import Path
from typing import Any

import pytest

from filters.neural.bertscore import Bertscore
from filters.sieve import Filters, Sieve
from pairs.checkpoints import hub
from pairs.checkpoints.hub import Preview
from pairs.errors import SettingsError, SourceError
from pairs.syntax import pipelines
from pairs.syntax.parsing import Parser
from tasks import models
from tasks.models import commits, fetch_all, pinned, problems, table
from translation.models import Translation

MARIAN = "Helsinki-NLP/opus-mt-fr-en"
COMMIT = "c" * 40
SIEVE = Sieve(preset="paper", advanced=Filters(bertscore=Bertscore(model="owner/encoder", layer=6, min_score=0.4)))
PARSER = Parser(pipeline=str(Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud"))


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the hub answers, by name of the model: a preview or an error."""
    answers: dict[str, Any] = {
        MARIAN: Preview(
            commit=COMMIT, sizes={"pytorch_model.bin": 300_000_000, "vocab.json": 1}, missing=["vocab.json"]
        ),
        "owner/encoder": Preview(commit="d" * 40, sizes={"model.safetensors": 90_000_000}, missing=[]),
    }

    def preview(model: str, **_: Any) -> Preview:
        answer = answers.get(model, Preview(commit=None, sizes={}, missing=[]))  # a package
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(hub, "preview", preview)
    return answers


def test_a_plan_lists_every_model_with_its_size_and_whether_it_is_here(known: dict[str, Any]) -> None:
    rows = {row[0]: row[1:] for row in table(Translation(), Parser(), SIEVE, "fr", "en").rows}
    assert rows["translate"] == (MARIAN, "300.0 MB", "no: 1 byte to download")
    assert rows["bertscore"] == ("owner/encoder", "90.0 MB", "yes")
    assert rows["parse"] == ("en_core_web_sm", "", "no: .venv/bin/python -m spacy download en_core_web_sm")


def test_a_model_that_cannot_be_had_has_its_reason_in_the_plan(known: dict[str, Any]) -> None:
    known[MARIAN] = SourceError("the hub cannot be reached")
    assert table(Translation(), PARSER, SIEVE, "fr", "en").rows[0][2:] == ("unknown", "no: the hub cannot be reached")


def test_all_problems_are_named_at_once_and_an_unreachable_hub_is_none(known: dict[str, Any]) -> None:
    known[MARIAN] = SettingsError("no such model")
    assert problems(Translation(), SIEVE, "fr", "en") == ["no such model"]
    known[MARIAN] = SourceError("cannot be reached")
    assert problems(Translation(), SIEVE, "fr", "en") == []


def test_branches_are_pinned_to_commits_and_packages_have_none(known: dict[str, Any]) -> None:
    translation, sieve = pinned(Translation(revision="main"), SIEVE, "fr", "en")
    assert (translation.model, translation.revision, sieve.advanced.bertscore.revision) == (MARIAN, COMMIT, "d" * 40)
    assert sieve.scoring_key() == SIEVE.scoring_key()  # the digest of the weights is in the key, not the commit
    assert commits(translation, sieve, "fr", "en") == {
        "translate": {"model": MARIAN, "revision": COMMIT},
        "bertscore": {"model": "owner/encoder", "revision": "d" * 40},
    }
    assert commits(Translation(engine="echo"), Sieve(preset="paper"), "fr", "en") == {}


def test_all_that_a_language_pair_needs_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    installed: list[str] = []
    monkeypatch.setattr(
        models, "open_checkpoint", lambda name: opened.append(name) or type("C", (), {"folder": tmp_path})
    )
    monkeypatch.setattr(pipelines, "installed", lambda name: tmp_path if name in installed else None)

    def run(command: list[str], **_: Any) -> Any:
        installed.append(command[-1])
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(pipelines.subprocess, "run", run)
    lines = list(fetch_all("fr", "en"))
    assert opened == [MARIAN] and installed == ["en_core_web_sm"]
    assert [line.split()[1] for line in lines] == [MARIAN, "all-MiniLM-L6-v2", "en_core_web_sm"]


def test_a_pipeline_that_cannot_be_installed_is_a_fault_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipelines.subprocess, "run", lambda *_, **__: type("Done", (), {"returncode": 1}))
    with pytest.raises(SourceError, match="'en_core_web_sm' could not be installed"):
        pipelines.download("en")
