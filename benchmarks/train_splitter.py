"""A splitter from the installed encoder and WikiSplit's validation file, tested on HSplit and WikiSplit's test file.

usage: python benchmarks/train_splitter.py EVAL [UPDATES]

EVAL has `models/wikisplit_validation.tsv.gz`, whose first 200 lines stay unseen, `models/wikisplit_test.tsv.gz` and
`models/hsplit`. UPDATES replace 10 epochs. Prints the card; the outputs are in the folder that it names.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

from bitext_pivot.commands.main import main as command
from bitext_pivot.core.site import Site

UNSEEN = 200
TESTED = 500
SETTINGS = {
    "task": "split",
    "licence": "CC-BY-SA-4.0",
    "training": {"batch": 16, "learning_rate": 2e-4, "epochs": 10},
}


def lines(path: Path) -> list[list[str]]:
    """Return the pairs of a file of WikiSplit."""
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return [line.replace("<::::>", "<SEP>").split("\t") for line in text.splitlines()]


def hsplit(data: Path) -> dict[str, Any]:
    """Return the setting of the test set HSplit."""
    folder = data / "models" / "hsplit"
    references = [str(folder / f"HSplit{number}") for number in range(1, 5)]
    return {
        "name": "hsplit",
        "source": str(folder / "turkcorpus_test.norm"),
        "references": references,
    }


def write(folder: Path, data: Path) -> dict[str, object]:
    """Write training rows and test sets to a folder, and return the settings that name them."""
    train = lines(data / "wikisplit_validation.tsv.gz")[UNSEEN:]
    (folder / "wikisplit.tsv").write_text(
        "".join(f"{long}\t{split}\n" for long, split in train), encoding="utf-8"
    )
    for ending, column in zip(
        ("src", "dst"),
        zip(*lines(data / "wikisplit_test.tsv.gz")[:TESTED], strict=True),
        strict=True,
    ):
        (folder / f"test.{ending}").write_text("\n".join(column) + "\n", encoding="utf-8")
    return SETTINGS | {
        "data": [str(folder / "wikisplit.tsv")],
        "tests": [
            {
                "name": "wikisplit",
                "source": str(folder / "test.src"),
                "references": [str(folder / "test.dst")],
            },
            hsplit(data.parent),
        ],
    }


def main(data: Path, steps: int | None) -> None:
    """Train, test and print the card; the same call continues a training that was stopped."""
    folder = Site().home / "benchmarks" / "splitter"
    folder.mkdir(parents=True, exist_ok=True)
    settings = write(folder, data / "models")
    if steps:
        settings["training"] = {**SETTINGS["training"], "max_steps": steps}  # type: ignore[dict-item]
    (folder / "settings.json").write_text(json.dumps({"settings": settings}), encoding="utf-8")
    sys.exit(command(["train", "--preset", str(folder / "settings.json")]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
