"""How far our category rules agree with the labels of the original classifier: Changes Across Sentence, or not.

usage: python benchmarks/categories.py bisect_orig_visible.tsv [PIPELINE]

The table has the long sentence, `s1 <SEP> s2` and 1 or 0 (empty where unknown). Ordinary lines do not begin with
"Whereas", do not end in ";" and have no "%" (which the original did not parse). Measured with the quickstart parser on
1,808 ordinary lines: code .784 precision, .702 recall, F1 .741; skip number F1 .651; paper F1 .261.
"""

import sys
from pathlib import Path

from pairs.categories import Categories, categorize
from pairs.parsing import Parser, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import ParsedPair

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


def agreement(parsed: list[ParsedPair], labels: dict[str, bool], rules: Categories) -> str:
    """Return precision, recall and F1 of Changes Across Sentence."""
    ours = {pair.pair.id for pair in parsed if categorize(pair, rules)[0] == "Changes Across Sentence"}
    theirs = {number for number, is_across in labels.items() if is_across}
    both = len(ours & theirs)
    precision, recall = both / max(1, len(ours)), both / max(1, len(theirs))
    f1 = 2 * both / max(1, len(ours) + len(theirs))
    return f"{rules.rules}, {rules.numbered}: precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}"


def main(table: Path, pipeline: str) -> None:
    """Parse the ordinary lines once and print a line for each set of rules."""
    labels = labelled(table)
    pairs = [line.pair for line in read_lines(table, "en") if line.pair and line.pair.id in labels]
    parsed, _ = parse_pairs(pairs, load(Parser(pipeline=pipeline), "en"))
    print(f"{len(parsed)} ordinary lines, {sum(labels.values())} of them Changes Across Sentence")
    for rules in RULES:
        print(agreement(parsed, labels, rules))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "quickstart/models/spacy-en-ud")
