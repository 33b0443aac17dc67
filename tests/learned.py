"""Rows that small networks can learn, and networks with random weights for them."""

from pathlib import Path
from typing import Any

from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.network import NetworkPlan
from bitext_pivot.research.models.training_settings import (
    PAIRWISE,
    Decoding,
    Hyperparameters,
    ModelKind,
    NetworkStart,
)

NAMES = ("Tom", "Ann", "Paul", "Mary", "Bob", "Eva", "Max", "Lea")
VERBS = ("sings", "plays", "reads", "walks", "sleeps", "eats", "cooks", "writes")
CATEGORIES = ("Direct Insertion", "Changes Near Split", "Changes Across Sentence")


def split_rows(number: int) -> list[dict[str, Any]]:
    """Rows of a data set of pairs; each sentence joins two."""
    rows = []
    for row in range(number):
        first = f"{NAMES[row % 8]} {VERBS[5 * row % 8]} {row} times"
        second = f"{NAMES[(3 * row + 1) % 8]} {VERBS[(7 * row + row // 8) % 8]} well ."
        pair = {"long": f"{first} , and {second}", "split": [f"{first} .", second]}
        labels = {"category_bisect": CATEGORIES[row % 3], "split_at": len(first) + 3}
        rows.append({"id": str(row), **pair, **labels, "licence": "CC0-1.0"})
    return rows


def examples(kind: ModelKind, number: int = 40) -> list[TrainingExample]:
    """Examples to split, or to classify by the verb of the first sentence."""
    if kind not in PAIRWISE:
        return [
            TrainingExample(
                id=row["id"], source=row["long"], target=" <SEP> ".join(row["split"]), label=row["category_bisect"],
                licence="",
            )
            for row in split_rows(number)
        ]  # fmt: skip
    return [
        TrainingExample(
            id=row["id"], source=row["split"][0], second=row["split"][1], licence="",
            label=VERBS[5 * int(row["id"]) % 8],
        )
        for row in split_rows(number)
    ]  # fmt: skip


def plan(
    kind: ModelKind,
    training: Hyperparameters,
    *,
    is_adaptive: bool = False,
    folder: Path | None = None,
) -> NetworkPlan:
    """A small network with random weights, or the pretrained one in a folder."""
    random = NetworkStart(
        kind=kind, start="lstm" if kind == "classify" else "random", vectors="random", hidden=16
    )
    return NetworkPlan(
        kind=kind, start=random, folder=folder, training=training, decoding=Decoding(beams=1, no_repeat=0),
        is_adaptive=is_adaptive,
    )  # fmt: skip


def weights(folder: Path) -> dict[str, bytes]:
    """The files of weights below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.safetensors"))
    }


def loaded(folder: Path, auto: str) -> dict[str, Any]:
    """What transformers finds wrong with the weights in `model` of a folder; `auto` is the name of an Auto class."""
    import transformers

    _, facts = getattr(transformers, auto).from_pretrained(
        folder / "model", output_loading_info=True
    )
    return {name: problems for name, problems in facts.items() if problems}
