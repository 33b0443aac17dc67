"""Count what the rule filters and the labels say of our own pairs in a language, some of them spoilt.

usage: python benchmarks/language_pairs.py LANGUAGE PIPELINE

benchmarks/languages/LANGUAGE.tsv has 60 pairs: the category of a good one by hand, or what was spoilt.
"""

import csv
import sys
from pathlib import Path
from typing import Any

from bitext_pivot import Filters, Parser, judge

FOLDER = Path(__file__).with_name("languages")
_SPLIT = ("Direct Insertion", "Changes Near Split", "Changes Across Sentence")


def main(language: str, pipeline: str) -> None:
    """Print the counts, and each pair that was judged otherwise than by hand."""
    with (FOLDER / f"{language}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    pairs = [(row["long"], [row["first"], row["second"]]) for row in rows]
    results = judge(
        pairs, language=language, filters=Filters(preset="rules"), parser=Parser(pipeline=pipeline)
    )
    judged = list(zip(rows, results, strict=True))
    good = [(row, result) for row, result in judged if row["label"] in _SPLIT]
    spoilt = [(row, result) for row, result in judged if row["label"] not in _SPLIT]
    _print("good pairs kept", good, [result["rejected_by"] is None for _, result in good])
    _print(
        "spoilt pairs rejected", spoilt, [result["rejected_by"] is not None for _, result in spoilt]
    )
    _print(
        "categories of good pairs",
        good,
        [result["category"] == row["label"] for row, result in good],
    )


def _print(
    what: str, judged: list[tuple[dict[str, str], dict[str, Any]]], is_right: list[bool]
) -> None:
    print(f"{what}: {sum(is_right)} of {len(judged)}")
    for (row, result), right in zip(judged, is_right, strict=True):
        if not right:
            labels = f"{result['rejected_by']}, {result['category']} ({result['construction']})"
            print(f"  {row['label']} / {labels}: {row['long']} | {row['first']} | {row['second']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
