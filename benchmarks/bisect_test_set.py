"""BiSECT's Table 5 on its own test set, from the outputs that the paper released.

usage: python benchmarks/bisect_test_set.py EVAL [OPTIONS OF evaluate: --ppdb FILE, --bertscore MODEL, --json FILE ...]

EVAL holds the published test pairs (bisect_test_visible.tsv: `long<TAB>s1 <SEP> s2`, all 583 or some of them, in
their order) and models/bisect_outputs/bisect, the released files. The outputs are all 583, so those of the pairs at
hand are found first, by their words. Prints what `bitext-pivot evaluate` prints of them, with the source unchanged
and the reference itself, and the paper's SARI beside ours.
"""

import csv
import gzip
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from eval_pairs import PUBLISHED

from bitext_pivot.commands.main import main as bitext_pivot
from bitext_pivot.core.tables import markdown_table

PAPERS = Path(__file__).parents[1] / "research" / "models" / "papers.tsv"
SYSTEMS = {
    "source unchanged": None,
    "DisSim": "dissim",
    "Copy512, WikiSplit": "copy512_wiki",
    "Copy512, BiSECT": "copy512_bisect",
    "BERT transformer, WikiSplit": "transformer_wiki",
    "BERT transformer, BiSECT": "transformer_bisect",
    "BERT transformer, adaptive loss, BiSECT": "our_model_bisect",
    "BERT transformer, adaptive loss, both": "our_model_bisect_wiki",
    "reference": None,
}
"""The rows of the table and the names of their released files."""
SHOWN = ("SARI", "SARI add", "SARI keep", "SARI delete", "GLEU", "FKGL", "%new", "BERTScore")


def places(sources: Sequence[str], outputs: Sequence[Sequence[str]]) -> list[int]:
    """Return for each source the line of its outputs: ascending lines with the most words in common in all."""
    asked = [set(source.lower().split()) for source in sources]
    given = [set(" ".join(line).lower().split()) for line in zip(*outputs, strict=True)]
    shared = np.array([[len(one & other) / len(one | other) for other in given] for one in asked])
    best = np.zeros((len(asked) + 1, len(given) + 1))
    for row in range(1, len(asked) + 1):
        best[row, :row] = -np.inf  # so many sources have no place among fewer lines
        for line in range(row, len(given) + 1):
            taken = best[row - 1, line - 1] + shared[row - 1, line - 1]
            best[row, line] = max(best[row, line - 1], taken)
    found = []
    line = len(given)
    for row in range(len(asked), 0, -1):
        while line > row and best[row, line] == best[row, line - 1]:
            line -= 1
        line -= 1
        found.append(line)
    return found[::-1]


def read(folder: Path) -> dict[str, list[str]]:
    """Return the lines of each row of the table for the pairs at hand."""
    with (folder / PUBLISHED["test"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    sources = [row[0] for row in rows]
    released = {}
    for name, stem in SYSTEMS.items():
        if stem:
            path = folder / "models" / "bisect_outputs" / "bisect" / f"{stem}.txt.gz"
            released[name] = gzip.decompress(path.read_bytes()).decode().splitlines()
    lines = places(sources, list(released.values()))
    systems = {name: [outputs[line] for line in lines] for name, outputs in released.items()}
    return {"source unchanged": sources, **systems, "reference": [row[1] for row in rows]}


def published() -> dict[str, str]:
    """Return the paper's SARI by system."""
    with PAPERS.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["system"]: row["value"] for row in rows if row["test"] == "bisect"}


def main(folder: Path, options: Sequence[str]) -> int:
    """Write the files of an evaluation, run it and print the table. Return the status of `evaluate`."""
    texts = read(folder)
    with tempfile.TemporaryDirectory() as scratch:
        files = {name: Path(scratch) / name.replace(",", "").replace(" ", "-") for name in texts}
        for name, lines in texts.items():
            files[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        scores = Path(scratch) / "scores.json"
        command = [
            "evaluate",
            *map(str, files.values()),
            "--source",
            str(files["source unchanged"]),
        ]
        command += ["--references", str(files["reference"]), "--json", str(scores)]
        if status := bitext_pivot([*command, *options]):
            return status
        results = json.loads(scores.read_text(encoding="utf-8"))["systems"]
    metrics = [metric for metric in SHOWN if metric in results[files["reference"].name]]
    paper = published()
    table = []
    for name, file in files.items():
        numbers = [f"{results[file.name][metric]['score']:.1f}" for metric in metrics]
        table.append((name, SYSTEMS[name] or "", paper[name], *numbers))
    print(f"\n{len(texts['reference'])} pairs of the test set")
    print(markdown_table(("system", "file", "SARI in the paper", *metrics), table))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
