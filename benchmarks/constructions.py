"""How far our constructions agree with labels given by hand to natural pairs (docs/guideline-constructions.md).

usage: python benchmarks/constructions.py wmt_natural_visible.tsv tests/golden/constructions.tsv [PIPELINE]

The labels name a row by its line and sha256; the sentences stay where they are. The first half of the labels was read
while the rules were written, the second was not. Prints both halves, what always saying `other` would reach, and what
was taken for what.
"""

import csv
import hashlib
import sys
from collections import Counter
from pathlib import Path

from eval_pairs import halves, whole

from pairs.labelling.categories import Categories, categorize
from pairs.records import Pair
from pairs.syntax.parsing import Parser, Pipeline, load, parse_pairs

SYSTEM = "google"
SAMPLE = 150


def sample(table: Path) -> list[tuple[str, Pair]]:
    """Return key and pair of the rows whose lines have the smallest sha256, among those with two sentences."""
    head, *lines = table.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 2):
        row = dict(zip(head.split("\t"), line.split("\t"), strict=True))
        sides = row[SYSTEM], row["reference"]
        long, split = sides if row["shape"] == "1-2" else sides[::-1]
        if len(parts := halves(split)) == 2:
            found.append((hashlib.sha256(line.encode()).hexdigest(), whole(str(number), long, *parts).pair))
    return sorted(found, key=lambda keyed: keyed[0])[:SAMPLE]


def hand_labelled(table: Path, labels: Path) -> list[tuple[Pair, str, str]]:
    """Return the labelled pairs in the order of the labels, each with its category and construction by hand."""
    pairs = dict(sample(table))
    with labels.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(pairs[row["sha256"]], row["category"], row["construction"]) for row in rows]


def agreement(labelled: list[tuple[Pair, str, str]], pipeline: Pipeline) -> list[tuple[str, str]]:
    """Return for each pair the construction by hand and ours."""
    parsed, _ = parse_pairs([pair for pair, *_ in labelled], pipeline)
    ours = {pair.pair.id: categorize(pair, Categories())[1] for pair in parsed}
    return [(construction, ours.get(pair.id, "unparsed")) for pair, _, construction in labelled]


def main(table: Path, labels: Path, pipeline: str) -> None:
    """Print the agreement in both halves of the labels."""
    found = agreement(hand_labelled(table, labels), load(Parser(pipeline=pipeline), "en"))
    for name, part in (("read", found[: SAMPLE // 2]), ("not read", found[SAMPLE // 2 :])):
        same, other = (
            sum(map(test, part)) for test in (lambda pair: pair[0] == pair[1], lambda pair: pair[0] == "other")
        )
        print(f"{name}: {same} of {len(part)} ({same / len(part):.3f}); always `other`: {other / len(part):.3f}")
    wrong = Counter(pair for pair in found if pair[0] != pair[1])
    for (theirs, ours), number in wrong.most_common():
        print(f"{number}  {theirs} -> {ours}")
    for name, number in Counter(theirs for theirs, _ in found).most_common():
        same = sum(theirs == ours == name for theirs, ours in found)
        print(f"{name}: {number} by hand, {same} met, {sum(ours == name for _, ours in found)} ours")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "quickstart/models/spacy-en-ud")
