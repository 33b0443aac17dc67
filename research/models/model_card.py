"""Write the card (README.md) of a trained model: metadata for the hub, scores, published scores, data and licence."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from huggingface_hub import EvalResult, ModelCardData

from bitext_pivot.core import licences
from bitext_pivot.core.templates import render
from bitext_pivot.research.models.evaluation import spread
from bitext_pivot.research.models.training_settings import PAIRWISE

_PAPERS = Path(__file__).with_name("papers.tsv")
_SHOWN = (
    "SARI",
    "SARI add",
    "SARI keep",
    "SARI delete",
    "BLEU",
    "%new",
    "%one split",
    "exact",
    "accuracy",
    "macro F1",
)
_MAIN = ("SARI", "accuracy")
_LOSSES = 20  # maximum number of rows in the table of losses
_NAMES = 20  # maximum number of connectives or pronouns in a table
_TAGS = {
    "split": "split-and-rephrase",
    "fuse": "sentence-fusion",
    "markers": "discourse-markers",
    "relations": "implicit-discourse-relations",
    "entailment": "natural-language-inference",
}
Facts = Mapping[str, Any]
"""The content of the file `scores.json` in the folder of a trained model."""


def front_matter(facts: Facts) -> str:
    """Return the YAML block with which the card (README.md) of a model begins."""
    kind = "text-classification" if facts["plan"]["kind"] in PAIRWISE else "text-generation"
    results = [
        EvalResult(
            task_type=kind,
            dataset_type=name,
            dataset_name=name,
            metric_type=metric,
            metric_value=round(mean, 2),
        )
        for name in facts["tests"]
        for metric, (mean, _) in means(facts, name).items()
        if metric in _MAIN
    ]
    start = facts["start"]
    data = ModelCardData(
        language=facts["plan"]["language"],
        base_model=start["name"] if "digest" in start else None,
        pipeline_tag=kind,
        library_name="sentence-transformers"
        if facts["plan"]["kind"] == "classify"
        else "transformers",
        tags=["bitext-pivot", _TAGS[facts["task"]]],
        model_name=facts["title"] if results else None,
        eval_results=results or None,
        **licences.front_matter(facts["data"]["licences"]),
    )
    return f"---\n{data.to_yaml()}\n---\n\n"


def readme(facts: Facts) -> str:
    """Return the text of a model's card (README.md) after the YAML block."""
    licence_names = facts["data"]["licences"]
    losses = facts["losses"]
    card = render(
        "research/models/card.jinja",
        facts=facts,
        shown=_SHOWN,
        scores={name: _scores(facts, name) for name in facts["tests"]},
        most=_NAMES,
        papers=_published(facts),
        restricted=[name for name in licence_names if _needs_attention(name)],
        losses=losses[:: 1 + len(losses) // _LOSSES],
    )
    return f"{card}\n"


def _needs_attention(licence: str) -> bool:
    return licences.is_restricted(licence) or licence == licences.UNKNOWN


def means(facts: Facts, test: str) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of each metric on a test set, over all seeds."""
    return spread(facts["tests"][test]["systems"], facts["seeds"])


def main_score(facts: Facts) -> str:
    """Return the main score on the last test set, with the score of an untrained baseline.

    For instance `SARI 48.2 on hsplit (source unchanged: 23.0)`.
    """
    for name in reversed(facts["tests"]):
        scores = _scores(facts, name)
        metric = next(metric for metric in _MAIN if metric in scores)
        untrained, numbers = next(iter(facts["tests"][name]["systems"].items()))
        return f"{metric} {scores[metric]} on {name} ({untrained}: {numbers[metric]:.1f})"
    return "no test set"


def _scores(facts: Facts, test: str) -> dict[str, str]:
    """Format the scores on a test set: `48.2`, or `48.2 ± 0.4` with several seeds."""
    form = "{:.1f}"
    if len(facts["seeds"]) > 1:
        form = "{:.1f} ± {:.1f}"
    return {metric: form.format(*numbers) for metric, numbers in means(facts, test).items()}


def _published(facts: Facts) -> list[dict[str, str]]:
    """Return the scores that published papers report for the same task and test sets."""
    with _PAPERS.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            row for row in rows if row["task"] == facts["task"] and row["test"] in facts["tests"]
        ]
