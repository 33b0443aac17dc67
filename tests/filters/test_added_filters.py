"""Filters that a program gives: one with a model, and a rule that the model's score overrules.

Nothing but their classes is written here: what a build does with a filter, it asks the filter.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from factories import pair
from pydantic import Field, ValidationError

from bitext_pivot.commands.judge_file import judge_lines
from bitext_pivot.core.hub import hub
from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.core.reading.pair_files import PairLine
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import ModelFilter, RuleFilter, Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.presentation import score_names
from bitext_pivot.filters.view import View
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.syntax import pipelines
from bitext_pivot.tasks.run.loaded_models import commits, fetch_all, model_table
from bitext_pivot.tasks.run.resources import FilterResource

NAME, COMMIT = "owner/evenness", "e" * 40
PACKAGE = "all-MiniLM-L6-v2"
PARSER = str(Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud")


class TopicShift(ModelFilter):
    """How even the lengths of the halves are, as if a model had said so."""

    PARTS: ClassVar = ("first", "second")
    compared: ClassVar[list[str]] = []

    min_share: float = Field(default=0.3, title="Minimum share", ge=0, le=1)
    """Minimum share of each half in the letters of both."""

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the share of each half."""
        self.compared.extend(keys)
        rows = []
        for _, first, second in map(json.loads, keys):
            both = len(first) + len(second)
            rows.append([round(len(first) / both, 3), round(len(second) / both, 3)])
        return rows

    def load(self, language: str, runtime: Runtime) -> str:
        """Return a warning."""
        return f"weak in {language}"

    def signature(self, runtime: Runtime) -> str:
        """Return name and digest of the model."""
        assert self.model
        files = fetch_checkpoint(self.model, None, revision=self.revision, setting=self.setting)
        return f"topic_shift {files.name} {files.digest}"


class Hurried(RuleFilter):
    """The number of words in capitals. A pair whose halves are even passes all the same."""

    max_words: int = Field(default=0, title="Maximum", ge=0, le=9)
    """Maximum number of words in capitals."""

    def overruled_by(self) -> dict[str, float]:
        """Return the share from which `topic_shift` lets a pair pass."""
        return {"topic_shift": 0.45}

    def measure(self, pair: View) -> float:
        """Return the number of words in capitals."""
        return sum(
            token.isupper() and len(token) > 1 for parse in pair.parses for token in parse.tokens
        )


def form(**settings: Any) -> PivotBitext:
    """A form in which the model is named."""
    advanced = {"topic_shift": {"model": NAME, **settings}}
    filters = {"own": [Hurried, TopicShift], "advanced": advanced}
    return PivotBitext.model_validate({"parser": {"pipeline": PARSER}, "filters": filters})


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """The hub has the model; return the models and revisions that are fetched."""
    seen: list[tuple[str, str | None]] = []
    fetch_really = hub.fetch
    local = hub.fetch(PACKAGE, choose=hub.choose_files, setting="test")
    known = Preview(
        commit=COMMIT, sizes={"model.safetensors": 90_000_000}, missing=["model.safetensors"]
    )
    package = Preview(commit=None, sizes={}, missing=[])

    def fetch(model: str, *, revision: str | None = None, **options: Any) -> hub.LocalModel:
        seen.append((model, revision))
        return fetch_really(model, revision=revision, **options) if model == PACKAGE else local

    monkeypatch.setattr(hub, "preview", lambda model, **_: known if model == NAME else package)
    monkeypatch.setattr(hub, "fetch", fetch)
    return seen


@pytest.mark.usefixtures("fetched")
def test_the_model_is_previewed_and_pinned_to_its_commit() -> None:
    processing = form().processing()
    rows = {row[0]: row[1:] for row in model_table(processing).rows}
    assert rows["topic_shift"] == (NAME, "90.0 MB", "no: 90.0 MB to download")
    assert commits(processing.models)["topic_shift"] == {"model": NAME, "revision": COMMIT}
    exact = FilterResource(form().filters, "en").pins(Site())["filters"]
    assert exact.active()["topic_shift"].hub_model == (NAME, COMMIT)
    assert exact.scoring_key() == processing.filters.scoring_key()


def test_the_model_is_downloaded(
    fetched: list[tuple[str, str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "install_pipeline", lambda language: "here")
    monkeypatch.setattr(pipelines, "find_installed", lambda name: Path(name))
    lines = list(fetch_all(form(revision="main").processing()))
    assert (NAME, "main") in fetched
    assert any(line.startswith(f"topic_shift  {NAME}  ") for line in lines)


@pytest.mark.usefixtures("fetched")
def test_the_signature_names_the_model_and_loading_warns(runtime: Runtime) -> None:
    filters = form().filters
    shift = filters.active()["topic_shift"]
    assert isinstance(shift, TopicShift)
    assert shift.signature(runtime).startswith(f"topic_shift {NAME} ")
    assert "weak in en" in shift.load("en", runtime)


def test_it_needs_a_model_and_messages_name_its_setting() -> None:
    with pytest.raises(ValidationError, match=r"Set advanced\.topic_shift\.model"):
        Filters.model_validate({"own": [TopicShift]})
    models = {name: one for name, one in form().filters.advanced if isinstance(one, ModelFilter)}
    assert models.keys() > {"entailment", "topic_shift"}
    assert {one.setting for one in models.values()} == {
        f"filters.advanced.{name}.model" for name in models
    }


LINES = {
    "a pair that passes": ("The cat slept and the dog ran away.", "The cat slept.", "The dog ran away.", None),
    "a rule rejects": ("The cat slept and the dog ran away.", "The cat.", "The dog ran away.", "verbs"),
    "the model rejects": ("The dog ran and the old cat slept on the warm chair.", "The dog ran.",
                          "The old cat slept on the warm chair.", "topic_shift"),
    "the model overrules": ("THE CAT slept and the dog ran away.", "THE CAT slept.", "The dog ran away.", None),
    "the model does not": ("The dog RAN and the old cat slept on it.", "The dog RAN.", "The old cat slept on it.",
                           "hurried"),
}  # fmt: skip
"""Sentences, and what rejects them."""


@pytest.mark.usefixtures("fetched")
def test_its_scores_decide_after_the_rules(pipeline: Any, runtime: Runtime) -> None:
    TopicShift.compared.clear()
    chosen = form().filters
    lines = [
        PairLine(number=number, pair=pair(*texts), problem=None)
        for number, (*texts, _) in enumerate(LINES.values())
    ]
    judged = judge_lines(lines, filters=chosen, pipeline=pipeline, runtime=runtime)
    rows = dict(zip(LINES, judged, strict=True))
    assert {name: row["rejected_by"] for name, row in rows.items()} == {
        name: line[3] for name, line in LINES.items()
    }
    assert "topic_shift" not in rows["a rule rejects"]["scores"]
    assert len(TopicShift.compared) == len(LINES) - 1
    scores = rows["a pair that passes"]["scores"]
    assert scores["topic_shift"] == min(scores["topic_shift.first"], scores["topic_shift.second"])
    assert math.isclose(scores["topic_shift.first"], 14 / 31, abs_tol=1e-3)
    assert {"topic_shift", "topic_shift.first", "topic_shift.second"} <= set(
        score_names(chosen.active())
    )


def test_without_the_model_the_rule_decides_alone(pipeline: Any, runtime: Runtime) -> None:
    long, first, second, _ = LINES["the model overrules"]
    lines = [PairLine(number=1, pair=pair(long, first, second), problem=None)]
    chosen = Filters.model_validate({"preset": "rules", "own": [Hurried]})
    (row,) = judge_lines(lines, filters=chosen, pipeline=pipeline, runtime=runtime)
    assert row["rejected_by"] == "hurried"
