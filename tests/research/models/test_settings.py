"""Settings of a training: what each task gets without being told, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from bitext_pivot.flows.train_settings import TrainModel


@pytest.mark.parametrize(
    ("task", "kind", "features"),
    [("split", "generate", "concat"), ("fuse", "generate", "concat"), ("markers", "classify", "infersent"),
     ("relations", "classify", "concat"), ("entailment", "joint", "concat")],
)  # fmt: skip
def test_a_task_has_its_usual_network(task: Any, kind: str, features: str) -> None:
    start = TrainModel(task=task, data=["x"]).start
    assert (start.kind, start.features) == (kind, features)
    assert (start.start == "google-t5/t5-small") == (kind == "generate")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"task": "split", "model": {"kind": "classify"}},
            "cannot learn 'split': expected generate",
        ),
        (
            {"task": "markers", "model": {"kind": "generate"}},
            "cannot learn 'markers': expected classify or joint",
        ),
        ({"task": "fuse", "loss": "adaptive"}, "loss adaptive is for the task split"),
        ({"task": "fuse", "loss": "targets"}, "loss targets is for the task split"),
        ({"task": "split", "model": {"start": "lstm"}}, "'lstm' is not for model.kind 'generate'"),
        (
            {"task": "markers", "model": {"start": "random"}},
            "'random' is not for model.kind 'classify'",
        ),
        ({"task": "split", "model": {"kind": "joint"}}, "cannot learn 'split': expected generate"),
        (
            {"task": "entailment", "model": {"start": "lstm"}},
            "'lstm' is not for model.kind 'joint'",
        ),
        ({"task": "fuse", "decoding": {"reverse": True}}, "decoding.reverse is for"),
        ({"task": "split", "data": []}, "at least 1"),
        ({"task": "split", "tests": [{"name": "a/b", "source": "x"}]}, "tests.0.name"),
    ],
)
def test_what_does_not_fit_together_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        TrainModel.model_validate({"data": ["x"], **settings})


def named(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "source": "x"} for name in names]


@pytest.mark.parametrize(
    "settings",
    [
        {"training": {"epochs": float("inf")}},
        {"training": {"epochs": float("nan")}},
        {"training": {"epochs": "inf"}},
        {"training": {"epochs": 1e308}},
        {"training": {"epochs": -1}},
        {"training": {"max_steps": 10**30}},
        {"training": {"batch": 10**30}},
        {"training": {"learning_rate": float("nan")}},
        {"training": {"warmup": float("nan")}},
        {"training": {"warmup": float("-inf")}},
        {"training": {"label_smoothing": "nan"}},
        {"training": {"longest": 10**12}},
        {"training": {"seeds": [2**32]}},
        {"training": {"seeds": [-1]}},
        {"training": {"seeds": []}},
        {"training": {"seeds": [0, 0]}},
        {"training": {"seeds": [7, 1, "7"]}},
        {"training": {"seeds": [True, 1]}},
        {"decoding": {"beams": 10**9}},
        {"tests": named("a", "a")},
        {"tests": named("a", "b", "A")},
        {"tests": named("caf\u00e9", "cafe\u0301")},
        {"tests": named("a", "a.1"), "training": {"seeds": [3, 4]}},
        {"tests": named("a" * 61)},
        {"tests": named("")},
    ],
)
def test_a_value_that_cannot_work_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TrainModel.model_validate({"task": "split", "data": ["x"], **settings})


def test_names_of_outputs_that_differ_are_accepted() -> None:
    settings = {"tests": named("a", "a.1", "b"), "training": {"seeds": [2**32 - 1]}}
    assert len(TrainModel.model_validate({"task": "split", "data": ["x"], **settings}).tests) == 3
