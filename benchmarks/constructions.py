"""How far our categories and constructions agree with labels given by hand to natural pairs and to published ones.

usage: python benchmarks/constructions.py FOLDER tests/golden/constructions.tsv [PIPELINE]

FOLDER holds wmt_natural_visible.tsv and bisect_test_visible.tsv.

The labels (docs/guideline-constructions.md) name a row by its line and sha256; the sentences stay where they are. Rows
labelled `-` are no proper pairs and are left out. Prints the agreement in each draw, on the rows that the rules were
developed with and on those that were held out, and what was taken for what on the former. Then the categories of the
pairs of read_labels.tsv, by part and set, with the interval of Wilson (95 %).
"""

import csv
import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from eval_pairs import NATURAL, PUBLISHED, natural, published, rows
from unseen_pairs import natural as unseen_natural
from unseen_pairs import wikisplit

from bitext_pivot.core.records import Pair
from bitext_pivot.research.assessment.report import wilson
from bitext_pivot.syntax.labelling.categories import label_pair
from bitext_pivot.syntax.parsing import Parser, SpacyPipeline, load_pipeline, parse_pairs

NO_PAIR = "-"
READ = Path(__file__).parent / "read_labels.tsv"
"""Pairs that were labelled before the program had run on them: part, set, id and category."""


class Labelled(NamedTuple):
    """A labelled pair: category and construction by hand and ours."""

    group: str
    by_hand: tuple[str, str]
    ours: tuple[str, str]


def pairs_by_row(folder: Path) -> dict[str, Pair]:
    """Return the natural pairs with two sentences, and the published ones, by the sha256 of their rows."""
    sources = {NATURAL: natural(folder), PUBLISHED["test"]: published(folder / PUBLISHED["test"])}
    pairs = {}
    for name, group in sources.items():
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        for source in group:
            digest = hashlib.sha256(lines[int(source.pair.id)].encode()).hexdigest()
            pairs[digest] = replace(source.pair, id=digest)
    return pairs


def agreement(folder: Path, labels: Path, pipeline: SpacyPipeline) -> list[Labelled]:
    """Return the labels by hand of all proper pairs, and ours."""
    pairs = pairs_by_row(folder)
    with labels.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["category"] != NO_PAIR]
    parsed_pairs, _ = parse_pairs([pairs[row["sha256"]] for row in rows], pipeline)
    predictions = {parsed.pair.id: label_pair(parsed) for parsed in parsed_pairs}
    results = []
    for row in rows:
        prediction = predictions[row["sha256"]]
        group, by_hand = f"draw {row['draw']}, {row['use']}", (row["category"], row["construction"])
        results.append(Labelled(group, by_hand, (prediction.category, prediction.construction)))
    return results


def shares(pairs: Sequence[Labelled]) -> str:
    """Return how many categories and how many constructions agree."""
    same = [sum(pair.by_hand[n] == pair.ours[n] for pair in pairs) for n in (0, 1)]
    words = (
        f"{name} {number} ({number / len(pairs):.3f})"
        for name, number in zip(("category", "construction"), same, strict=True)
    )
    return f"{len(pairs)} pairs: {', '.join(words)}"


def categories(folder: Path, pipeline: SpacyPipeline) -> dict[str, list[bool]]:
    """Return which categories of READ are right, by part and set."""
    sets = {
        "natural": unseen_natural(folder),
        "wikisplit": wikisplit(folder),
        "pool": (source.pair for source in published(folder / PUBLISHED["orig"])),
    }
    by_id = {(name, pair.id): pair for name, pairs in sets.items() for pair in pairs}
    read = [row for row in rows(READ) if row["category"] != NO_PAIR]
    parsed_pairs, _ = parse_pairs([by_id[row["set"], row["id"]] for row in read], pipeline)
    right: dict[str, list[bool]] = {}
    for row, parsed in zip(read, parsed_pairs, strict=True):
        hit = label_pair(parsed).category == row["category"]
        right.setdefault(f"{row['part']}, {row['set']}", []).append(hit)
    return right


def main(folder: Path, labels: Path, pipeline: str) -> None:
    """Print the agreement by group, and the confusions of the rows that may be read."""
    parser = load_pipeline(Parser(pipeline=pipeline), "en")
    pairs = agreement(folder, labels, parser)
    for group in dict.fromkeys(pair.group for pair in pairs):
        print(f"{group}: {shares([pair for pair in pairs if pair.group == group])}")
    read = [pair for pair in pairs if pair.group.endswith("development")]
    for n, name in ((0, "category"), (1, "construction")):
        wrong = Counter(
            (pair.by_hand[n], pair.ours[n]) for pair in read if pair.by_hand[n] != pair.ours[n]
        )
        for (hand_label, prediction), number in wrong.most_common():
            print(f"{name}: {number}  {hand_label} -> {prediction}")
    for group, right in sorted(categories(folder, parser).items()):
        hits, number = sum(right), len(right)
        low, high = (100 * bound for bound in wilson(hits, number))
        print(f"read, {group}: category {hits} of {number} ({low:.0f} to {high:.0f} %)")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2]),
        sys.argv[3] if len(sys.argv) > 3 else "quickstart/models/spacy-en-ud",
    )
