"""How far `category_bisect` agrees with the labels of the original classifier: Changes Across Sentence, or not.

usage: python benchmarks/categories.py bisect_orig_visible.tsv [PIPELINE]

The table has a heading, then the long sentence, `s1 <SEP> s2` and 1 or 0 (empty where unknown). Ordinary lines do not
begin with "Whereas", do not end in ";" and have no "%" (which the original did not parse). Prints precision, recall and
F1 of all lines and of those with odd and even numbers, counted from 1 behind the heading, and how often each rule's
lines are labelled 1. What is missing: docs/categories.md.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from eval_pairs import COLUMNS

from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.labelling.released import ReleasedRule, first_matching_rule
from bitext_pivot.syntax.parsing import Parser, load_pipeline, parse_pairs


class Line(NamedTuple):
    """A line: its number behind the heading, the rule that fires, and the label of the original."""

    number: int
    rule: ReleasedRule
    is_across: bool


def labelled(table: Path) -> dict[str, bool]:
    """Return the label of each ordinary line that has one, by line number with the heading."""
    labels = {}
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        long, _, label = ([*line.split("\t"), ""])[:3]
        is_ordinary = (
            not long.startswith("Whereas") and not long.rstrip().endswith(";") and "%" not in long
        )
        if label in {"0", "1"} and is_ordinary:
            labels[str(number)] = label == "1"
    return labels


def judged(table: Path, pipeline: str) -> list[Line]:
    """Parse the ordinary lines; return the rule that fires and the label of the original for each."""
    labels = labelled(table)
    pairs = [
        line.pair
        for line in read_pairs(table, "en", COLUMNS)
        if line.pair and line.pair.id in labels
    ]
    parsed_pairs, _ = parse_pairs(pairs, load_pipeline(Parser(pipeline=pipeline), "en"))
    lines = []
    for parsed in parsed_pairs:
        rule = first_matching_rule(clauses.analyse_clauses(parsed.long, "en"), parsed)
        lines.append(Line(int(parsed.pair.id) - 1, rule, labels[parsed.pair.id]))
    return lines


def agreement(lines: list[Line]) -> str:
    """Return precision, recall and F1 of Changes Across Sentence."""
    predictions = sum(line.rule[0] == "B" for line in lines)
    positives = sum(line.is_across for line in lines)
    hits = sum(line.rule[0] == "B" and line.is_across for line in lines)
    precision, recall = hits / max(1, predictions), hits / max(1, positives)
    f1 = 2 * hits / max(1, predictions + positives)
    return (
        f"{len(lines)} lines, {positives} labelled 1: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"
    )


def main(table: Path, pipeline: str) -> None:
    """Print the agreement by group, and the share of 1 by rule."""
    lines = judged(table, pipeline)
    for name, rests in {"all": (0, 1), "odd lines": (1,), "even lines": (0,)}.items():
        print(f"{name}: {agreement([line for line in lines if line.number % 2 in rests])}")
    counts = Counter((line.rule, line.is_across) for line in lines)
    for rule in sorted({line.rule for line in lines}):
        print(f"{rule}: {counts[rule, True]} of {counts[rule, True] + counts[rule, False]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "quickstart/models/spacy-en-ud")
