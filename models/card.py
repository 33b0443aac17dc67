"""The card of a trained model: front matter of the hub, scores beside the papers', data, losses, licence."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from huggingface_hub import EvalResult, ModelCardData

from bitext_pivot.core import licences
from bitext_pivot.core.tables import escape, markdown_table
from bitext_pivot.models.evaluation import spread
from bitext_pivot.models.training_settings import PAIRWISE

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
_LOSSES = 20  # lines of the table of losses, at most
_NAMES = 20  # connectives and pronouns in a table, at most
_ABOUT = {
    "split": "Splits and rephrases a sentence (BiSECT, Kim et al. 2021).",
    "fuse": "Fuses two sentences to one text (DiscoFuse, Geva et al. 2019).",
    "markers": "Predicts the discourse marker between two sentences (Discovery, Sileo et al. 2019).",
    "relations": "Predicts the sense of an implicit relation between two sentences (Shi et al. 2019).",
    "entailment": "Predicts whether a text, the hypothesis, follows from another, the premise.",
}
_TAGS = {
    "split": "split-and-rephrase",
    "fuse": "sentence-fusion",
    "markers": "discourse-markers",
    "relations": "implicit-discourse-relations",
    "entailment": "natural-language-inference",
}
_LINES = "`INPUT.txt` has one sentence per line; in an output `<SEP>` separates sentences."
_PAIRS = "`INPUT.txt` has two sentences per line, with a tab between them."
_KINDS = {
    "tag": "It gives each word one label: keep or delete it, and a phrase before it (LaserTagger, Malmi et al. 2019). "
    f"It invents no text, and rewrites little. {_LINES}",
    "generate": "It is a sequence-to-sequence model. Under the adaptive loss its class head is one linear layer; that "
    f"of the paper has a hidden layer of 1,000 units, and the paper pads pairs with [FILL]. {_LINES}",
    "classify": "It has an encoder of both sentences, in `model` for sentence-transformers, and a linear layer. "
    f"{_PAIRS}",
    "joint": "It reads both texts at once (a cross-encoder). `model` loads as "
    "AutoModelForSequenceClassification; with a class `entailment` it is a model for the filter "
    f"`entailment`. {_PAIRS}",
}
Facts = Mapping[str, Any]
"""What `scores.json` of a training has."""


def front_matter(facts: Facts) -> str:
    """Return the YAML block of a model card."""
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
    """Return the text of the card without its front matter."""
    parts = [
        f"# {escape(facts['title'])}",
        f"{_ABOUT[facts['task']]} {_KINDS[facts['plan']['kind']]} Trained by bitext-pivot.",
        "```sh\nbitext-pivot apply FOLDER INPUT.txt --output OUTPUT.txt\n```",
        "## Scores",
        *(_test(facts, name) for name in facts["tests"]),
        *_caution(facts),
        *_directions(facts),
        "## Beside the paper",
        _papers(facts),
        "## Data",
        *_data(facts["data"]),
        "## Training",
        *_training(facts),
    ]
    return "\n\n".join(parts) + "\n"


def means(facts: Facts, test: str) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of each metric on a test set over the seeds."""
    return spread(facts["tests"][test]["systems"], facts["seeds"])


def main_score(facts: Facts) -> str:
    """Return the score of the last test set: `SARI 48.2 on hsplit, `; nothing without a test set."""
    for name in reversed(facts["tests"]):
        found = means(facts, name)
        metric = next(metric for metric in _MAIN if metric in found)
        return f"{metric} {_cell(found[metric], facts)} on {name}, "
    return ""


def _test(facts: Facts, name: str) -> str:
    """Return a table of a test set: what takes no training, then this model; below it what else there is to know."""
    test, ours = facts["tests"][name], means(facts, name)
    metrics = [metric for metric in _SHOWN if metric in ours]
    rows = [
        (system, *(f"{numbers[metric]:.1f}" for metric in metrics))
        for system, numbers in test["systems"].items()
        if system not in facts["seeds"]
    ]
    rows.append(("this model", *(_cell(ours[metric], facts) for metric in metrics)))
    parts = [f"### {name}", markdown_table(("", *metrics), rows)]
    if test.get("confusions"):
        parts.append(
            markdown_table(("class -> prediction", "pairs"), [*test["confusions"].items()])
        )
    parts += _by_phenomenon(test)
    if signature := test.get("signatures", {}).get("SARI"):
        parts.append(f"`SARI|{signature}`")
    return "\n\n".join(parts)


def _by_phenomenon(test: Facts) -> Iterator[str]:
    """Yield the tables of a fusion model, by system: DiscoFuse's Tables 6, 7 and 9, and its Figure 3."""
    for key, title in (("groups", "exact, in percent"), ("group_sari", "SARI")):
        if any(values := test.get(key, {}).values()):
            names = next(iter(values))
            lines = [(name, *(f"{column[name]:.1f}" for column in values)) for name in names]
            yield markdown_table((title, *test[key]), lines)
    for key, title in (
        ("connectives", "connective added, in percent"),
        ("pronouns", "pronoun added, in percent"),
    ):
        if any(values := test.get(key, {}).values()):
            yield _counted(title, test[key])


def _counted(title: str, systems: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Return a table of the most frequent names: the rows that have each, and the share that a system adds."""
    rows = next(iter(systems.values()))
    lines = []
    for name in list(rows)[:_NAMES]:
        cells = (
            f"{100 * counts[name]['right'] / counts[name]['rows']:.1f}"
            for counts in systems.values()
        )
        lines.append((name, rows[name]["rows"], *cells))
    return markdown_table((title, "rows", *systems), lines)


def _cell(number: tuple[float, float], facts: Facts) -> str:
    mean, deviation = number
    return f"{mean:.1f} ± {deviation:.1f}" if len(facts["seeds"]) > 1 else f"{mean:.1f}"


def _caution(facts: Facts) -> Iterator[str]:
    if not facts["tests"]:
        yield "There was no test set."
    if facts["task"] == "split":
        yield "A blind cut sees commas and conjunctions only. SARI does not tell it from a rephrasing; *add* does."
    if facts["start"]["name"] == "random":
        yield "**For tests only**: the weights began at random, the vocabulary is that of the training rows."


def has_directions(facts: Facts) -> bool:
    """Return True if the card shows the weights of the classes (Discovery, Figure 2)."""
    return (facts["task"], facts["plan"]["kind"]) == ("markers", "classify")


def _directions(facts: Facts) -> Iterator[str]:
    if has_directions(facts):
        yield "## Markers in two dimensions"
        yield "![Markers by the first two principal components of their weights](plots/markers.png)"
        yield (
            "Each point stands for the weights of a marker in the linear layer, first seed (Discovery, "
            "Figure 2). Markers that are close are predicted for the same pairs."
        )


def _papers(facts: Facts) -> str:
    """Return the published figures on the same test sets beside this model's."""
    with _PAPERS.open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [
        (f"{row['test']}, {row['metric']}: {row['system']}", row["value"],
         _cell(means(facts, row["test"])[row["metric"]], facts), f"{row['where']}; {row['differs']}")
        for row in published
        if row["task"] == facts["task"] and row["test"] in facts["tests"]
    ]  # fmt: skip
    return (
        markdown_table(("", "paper", "ours", "what differs"), rows)
        if rows
        else "The paper has none of these test sets."
    )


def _data(data: Facts) -> Iterator[str]:
    yield markdown_table(("set", "rows"), [*data["rows"].items()])
    yield markdown_table(("licence of training rows", "rows"), [*data["licences"].items()])
    if restricted := [
        name
        for name in data["licences"]
        if licences.is_restricted(name) or name == licences.UNKNOWN
    ]:
        yield f"Ask before you pass the weights on: training rows are under {', '.join(map(escape, restricted))}."
    if data["skips"]:
        yield f"Left out: {', '.join(f'{number:,} {reason}' for reason, number in data['skips'].items())}."


def _training(facts: Facts) -> Iterator[str]:
    start = facts["start"]
    lines = [
        f"start: {start['name']}, {start.get('commit') or 'no commit'}, digest {start.get('digest', 'none')}",
        f"{', '.join(facts['seeds'])}; {facts['steps']:,} updates; {facts['seconds'] / 60:,.1f} minutes in all",
        f"{facts['device']}, {facts['threads']} threads: with others the weights differ",
        ", ".join(f"{name} {version}" for name, version in facts["versions"].items()),
    ]
    yield "\n".join(f"- {line}" for line in lines)
    shown = facts["losses"][:: 1 + len(facts["losses"]) // _LOSSES]
    cells = [
        tuple(round(row[name], 4) if name in row else "" for name in ("step", "loss", "eval_loss"))
        for row in shown
    ]
    yield markdown_table(("update", "training loss", "development loss"), cells)
