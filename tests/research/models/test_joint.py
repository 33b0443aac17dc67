"""Entailment: a trained cross-encoder as the filter's model, and which classes are learned."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from learned import plan

from bitext_pivot.core.site import Site
from bitext_pivot.filters.neural.classifier import load_classifier
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.kinds import network_class
from bitext_pivot.research.models.training_settings import Hyperparameters
from bitext_pivot.research.tasks.training_examples import read

TEXTS = [
    ("Tom sings well .", "Tom sings .", "entailment"),
    ("Ann reads and Tom sleeps .", "Ann reads .", "entailment"),
    ("Tom sings well .", "Tom does not sing .", "contradiction"),
    ("Ann reads .", "Ann reads a book .", "neutral"),
]
ROWS = [
    TrainingExample(id=str(number), source=premise, second=hypothesis, label=label, licence="")
    for number, (premise, hypothesis, label) in enumerate(TEXTS)
]


def test_the_filter_reads_a_trained_model_as_a_published_one(tmp_path: Path) -> None:
    settings = plan("joint", Hyperparameters())
    network: Any = network_class("joint").build(settings, ROWS)
    network.module.eval()
    network.save(tmp_path)
    loaded = load_classifier(fetch_checkpoint(str(tmp_path / "model"), 1, setting="model"), None)
    results = loaded.infer([(premise, hypothesis) for premise, hypothesis, _ in TEXTS], 1)
    outputs = network.outputs(ROWS)
    assert [result.entailment > result.other for result in results] == [
        output == "entailment" for output in outputs
    ]
    assert network.labels == ["contradiction", "entailment", "neutral"]


def test_a_pair_is_not_the_same_the_other_way_round() -> None:
    network = network_class("joint").build(plan("joint", Hyperparameters()), ROWS)
    network.module.eval()
    turned = TrainingExample(id="t", source=TEXTS[0][1], second=TEXTS[0][0], licence="")
    first, second = (
        network.module(**{k: v for k, v in network.collate([row]).items() if k != "labels"}).logits
        for row in (ROWS[0], turned)
    )
    assert (first != second).any()


def test_word_vectors_of_a_pretrained_encoder_stay(tmp_path: Path) -> None:
    network_class("joint").build(plan("joint", Hyperparameters()), ROWS).save(tmp_path)
    settings = plan("joint", Hyperparameters(), folder=tmp_path / "model")
    learned = {
        name
        for name, tensor in network_class("joint").build(settings, ROWS).module.named_parameters()
        if not tensor.requires_grad
    }
    assert learned == {"bert.embeddings.word_embeddings.weight"}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("enc", {"entailment": 1, "neutral": 1, "contradiction": 1}),
        ("encx", {"entailment": 1, "not_entailment": 3}),
        ("ex", {"entailment": 1, "not_entailment": 1}),
        ("nc", {"neutral": 1, "contradiction": 1}),
    ],
)
def test_rows_that_say_only_that_nothing_follows_make_two_classes(
    tmp_path: Path, labels: str, expected: dict[str, int]
) -> None:
    path, tested = tmp_path / "rows.jsonl", tmp_path / "test.tsv"
    rows = [
        {"id": f"{label}1", "premise": f"a {label}", "hypothesis": f"b {label}", "label": label}
        for label in labels
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    tested.write_text("It rained.\tIt was dry.\tcontradiction\n", encoding="utf-8")
    form = TrainModel.model_validate(
        {
            "task": "entailment",
            "data": [str(path)],
            "tests": [{"name": "t", "source": str(tested)}],
        }
    )
    (test,), parts = read(form, Site(), Counter())
    found = [example.label for example in (*parts.train, *parts.validation)]
    assert Counter(found) == expected
    wanted = "not_entailment" if "not_entailment" in expected else "contradiction"
    assert [example.label for example in test.examples] == [wanted]
