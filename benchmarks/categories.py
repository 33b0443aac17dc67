"""How far our category rules agree with the labels of the original classifier: Changes Across Sentence, or not.

usage: python benchmarks/categories.py bisect_orig_visible.tsv [PIPELINE]

The table has the long sentence, `s1 <SEP> s2` and 1 or 0 (empty where unknown). Ordinary lines do not begin with
"Whereas", do not end in ";" and have no "%" (which the original did not parse). Each set of rules has a line for all,
for the odd and for the even line numbers; then comes how often each rule's lines are labelled 1. Results and what is
missing: docs/categories.md.
"""

import sys
from collections import Counter
from pathlib import Path

from corpus.pair_files import read_lines
from pairs.labelling.categories import Categories, categorize, fired_rule
from pairs.records import ParsedPair
from pairs.syntax.parsing import Parser, load, parse_pairs

RULES = (Categories(), Categories(numbered="skip number"), Categories(rules="paper"))


def labelled(table: Path) -> dict[str, bool]:
    """Return the label of each ordinary line that has one, by line number."""
    found = {}
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        long, _, label = ([*line.split("\t"), ""])[:3]
        if (
            label in {"0", "1"}
            and not long.startswith("Whereas")
            and not long.rstrip().endswith(";")
            and "%" not in long
        ):
            found[str(number)] = label == "1"
    return found


def agreement(parsed: list[ParsedPair], labels: dict[str, bool], rules: Categories, parities: set[int]) -> str:
    """Return precision, recall and F1 of Changes Across Sentence on the lines whose number is odd (1), even (0)."""
    parsed = [pair for pair in parsed if int(pair.pair.id) % 2 in parities]
    labels = {number: is_across for number, is_across in labels.items() if int(number) % 2 in parities}
    ours = {pair.pair.id for pair in parsed if categorize(pair, rules)[0] == "Changes Across Sentence"}
    theirs = {number for number, is_across in labels.items() if is_across}
    both = len(ours & theirs)
    precision, recall = both / max(1, len(ours)), both / max(1, len(theirs))
    f1 = 2 * both / max(1, len(ours) + len(theirs))
    return f"{len(parsed)} lines, {len(theirs)} labelled 1: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"


def by_rule(parsed: list[ParsedPair], labels: dict[str, bool]) -> str:
    """Return for each rule of the code how many lines it fired on and how many of these are labelled 1."""
    counts = Counter((fired_rule(pair, Categories()), labels[pair.pair.id]) for pair in parsed)
    rules = sorted({rule for rule, _ in counts})
    return "\n".join(f"{rule}: {counts[rule, True]} of {counts[rule, True] + counts[rule, False]}" for rule in rules)


def main(table: Path, pipeline: str) -> None:
    """Parse the ordinary lines once and print a line for each set of rules."""
    labels = labelled(table)
    pairs = [line.pair for line in read_lines(table, "en") if line.pair and line.pair.id in labels]
    parsed, _ = parse_pairs(pairs, load(Parser(pipeline=pipeline), "en"))
    for rules in RULES:
        for name, parities in (("all", {0, 1}), ("odd", {1}), ("even", {0})):
            print(f"{rules.rules}, {rules.numbered}, {name}: {agreement(parsed, labels, rules, parities)}")
    print(by_rule(parsed, labels))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "quickstart/models/spacy-en-ud")
