"""Test a trained network: generate outputs for each test set, and score them next to untrained baselines."""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.progress import tracked
from bitext_pivot.research.metrics.evaluation_files import read_references, read_segments
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.models import data, published_files
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.network import Network
from bitext_pivot.research.models.training_settings import REWRITING, Task, TestSet

SOURCE, CUT, MAJORITY = "source unchanged", "blind cut", "most frequent class"
"""Names of the untrained baselines: copy the source, cut it at a comma, or predict the most frequent class."""
_CONFUSIONS = 10
Scores = dict[str, dict[str, float]]
"""Scores by the name of the system, then by the name of the metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutExamples:
    """A test set: its examples and, for rewriting tasks, their references."""

    name: str
    examples: Sequence[TrainingExample]
    references: Sequence[Sequence[str]] = ()
    """For each example, its references; empty for classification tasks."""

    @property
    def texts(self) -> Iterable[str]:
        """Texts that must not occur in training examples."""
        yield from (text for example in self.examples for text in data.texts(example))
        yield from (text for line in self.references for text in line)


def of_data_set(name: str, examples: Sequence[TrainingExample]) -> HeldOutExamples:
    """Return a test set that consists of the test rows in a data set."""
    return HeldOutExamples(
        name=name, examples=examples, references=[[example.target] for example in examples]
    )


def read(test: TestSet, task: Task, skips: Counter[str]) -> HeldOutExamples:
    """Read a test set from its files.

    Raises SettingsError if a file cannot be read, or if sources and references differ in number.
    """
    if task not in REWRITING:
        rows = published_files.rows(test.source, task, skips)
        return HeldOutExamples(name=test.name, examples=list(data.examples(rows, task, skips)))
    if not test.references:
        raise SettingsError(
            f"The test set {test.name!r} has no references. Name a text file with one line per source line."
        )
    sources = read_segments(test.source, column="long")
    examples = [
        TrainingExample(id=str(line), source=source, licence="")
        for line, source in enumerate(sources, 1)
    ]
    references = read_references(test.references, test.source, len(sources))
    return HeldOutExamples(name=test.name, examples=examples, references=references)


def outputs(network: Network, examples: Sequence[TrainingExample], batch: int) -> list[str]:
    """Return the output of a network for each example, computed in batches of `batch` examples."""
    results: list[str] = []
    with tracked("apply", len(examples), "lines") as advance:
        for start in range(0, len(examples), batch):
            rows = examples[start : start + batch]
            results += network.outputs(rows)
            advance(len(rows))
    return results


def scores(
    task: Task, tested: HeldOutExamples, systems: Mapping[str, Sequence[str]], scoring: Scoring
) -> dict[str, Any]:
    """Score the outputs of systems on a test set, with the untrained baselines first.

    The result has the scores by system and metric under `systems`. Rewriting tasks add the `signatures` of the metrics
    and, for fusion, the values of `fusion_scores`; classification tasks add the most frequent `confusions`.
    """
    if task in REWRITING:
        return _score_texts(task, tested, systems, scoring)
    return _score_classes(tested, systems)


def _score_texts(
    task: Task, tested: HeldOutExamples, systems: Mapping[str, Sequence[str]], scoring: Scoring
) -> dict[str, Any]:
    from bitext_pivot.research.metrics.comparison import compare, metrics_of
    from bitext_pivot.research.metrics.cut import blind_cut
    from bitext_pivot.research.metrics.metric import EvaluationCorpus
    from bitext_pivot.research.models.fusion_scores import fusion_scores

    sources = [example.source for example in tested.examples]
    cuts = {CUT: [blind_cut(line) for line in sources]} if task == "split" else {}
    compared = {SOURCE: sources, **cuts, **systems}
    corpus = EvaluationCorpus.of(
        sources,
        tested.references,
        compared,
        (f"{tested.name} sources", f"{tested.name} references"),
    )
    comparison = compare(compared, metrics_of(corpus, scoring), scoring)
    results = comparison.by_system()
    numbers: Scores = {
        name: {metric: value["score"] for metric, value in row.items()}
        for name, row in results.items()
    }
    all_scores: dict[str, Any] = {
        "systems": numbers,
        "signatures": dict(comparison.signatures),
        "groups": {},
    }
    if task == "fuse":
        for name, lines in compared.items():
            fused = fusion_scores(tested.examples, lines, tested.references, scoring)
            numbers[name]["exact"] = fused.pop("exact")
            for key, values in fused.items():
                all_scores.setdefault(key, {})[name] = values
    return all_scores


def _score_classes(tested: HeldOutExamples, systems: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return accuracy and macro F1 in percent, and the last system's most frequent confusions.

    The result is `{"systems": {name: {"accuracy": ..., "macro F1": ...}}, "confusions": {"gold -> predicted": count}}`,
    with at most `_CONFUSIONS` confusions. Its first system is a baseline that always predicts the most frequent class.

    If a pair occurs with several classes, predicting any of them is correct. Any other prediction counts in F1 as an
    error of the alphabetically first of these classes.
    """
    classes: dict[tuple[str, str], set[str]] = {}
    for example in tested.examples:
        classes.setdefault((example.source, example.second), set()).add(example.label)
    gold = [classes[example.source, example.second] for example in tested.examples]
    majority = Counter(example.label for example in tested.examples).most_common(1)[0][0]
    compared = {MAJORITY: [majority] * len(gold), **systems}
    last = list(compared.values())[-1]
    confused = Counter(
        f"{example.label} -> {label}"
        for example, label, right in zip(tested.examples, last, gold, strict=True)
        if label not in right
    )
    return {
        "systems": {name: _agreement(gold, labels) for name, labels in compared.items()},
        "confusions": dict(confused.most_common(_CONFUSIONS)),
    }


def _agreement(gold: Sequence[set[str]], labels: Sequence[str]) -> dict[str, float]:
    # For a pair with several correct classes, a wrong prediction counts as an error of the alphabetically first one.
    right = [
        label if label in classes else min(classes)
        for classes, label in zip(gold, labels, strict=True)
    ]
    hits = Counter(label for label, answer in zip(labels, right, strict=True) if label == answer)
    predicted, actual = Counter(labels), Counter(right)
    f1 = [2 * hits[label] / (predicted[label] + actual[label]) for label in actual]
    return {"accuracy": 100 * hits.total() / len(labels), "macro F1": 100 * statistics.mean(f1)}


def spread(
    results: Mapping[str, Mapping[str, float]], seeds: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of each metric over the trainings with several seeds.

    `results` holds the score by seed and metric. With one seed, the deviation is 0.
    """
    values = {metric: [results[seed][metric] for seed in seeds] for metric in results[seeds[0]]}
    return {
        metric: (statistics.mean(row), statistics.stdev(row) if len(row) > 1 else 0.0)
        for metric, row in values.items()
    }
