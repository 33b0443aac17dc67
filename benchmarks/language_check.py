"""What the language check finds and loses: right texts rejected, wrong ones found, by number of letters.

usage: python benchmarks/language_check.py PAIRS.tsv.gz ONE OTHER

PAIRS has a sentence pair per line, separated by a tab. Each side is judged as text of its own language and as text of
the other. Printed for the odds of the settings and for the odds at which 1 of 2,000 right texts is rejected.
"""

import gzip
import random
import sys
from itertools import pairwise

from alignments.screening.identify import LanguageCheck, evidence, odds_against

LETTERS = (0, 15, 20, 30, 50, 100, 10_000)
SAMPLE = 4_000


def main(pairs: str, one: str, other: str) -> None:
    """Print a line for each range of letters."""
    with gzip.open(pairs, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t")[:2] for line in file]
    rows = random.Random(1).sample(rows, min(SAMPLE, len(rows)))
    texts = [(text, *languages) for row in rows for text, *languages in ((row[0], one, other), (row[1], other, one))]
    judged = [(evidence(text), odds_against(text, own), odds_against(text, wrong)) for text, own, wrong in texts]
    right = sorted(odds for letters, odds, _ in judged if letters >= LETTERS[1])
    for odds in (LanguageCheck().odds, right[-1 - len(right) // 2_000] * 1.001):
        for least, most in pairwise(LETTERS):
            inside = [row for row in judged if least <= row[0] < most]
            lost = sum(row[1] >= odds for row in inside)
            found = sum(row[2] >= odds for row in inside) / max(1, len(inside))
            print(f"{least:3} to {most - 1:5} letters, odds {odds:9.2f}: {len(inside):5} texts, ", end="")
            print(f"right ones rejected {lost:2}, wrong ones found {found:6.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
