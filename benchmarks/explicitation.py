"""How many implicit relations the back-translations of four languages make explicit, beside Shi et al. (2019).

usage: python benchmarks/explicitation.py FOLDER

FOLDER has `wmt_multiway_visible.tsv.gz`: English sentences in order, back-translated by two systems. The lists of
markers were fixed on even lines; odd lines are reported.
"""

import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from eval_pairs import MULTIWAY, Row, rows

from bitext_pivot.discourse.explicitation.votes import Explicitation, Reason, variants, vote

LANGUAGES = ("fr", "de", "es", "cs")
PAPER = "paper, 3 languages: each 2.7-3.1 %, 2-votes 1.75 %, 3-votes 0.24 %"


def pairs(table: list[Row], half: int) -> Iterator[tuple[Row, Row]]:
    """Yield the consecutive sentences of a document whose second is on an even (0) or odd (1) line."""
    for number, (first, second) in enumerate(itertools.pairwise(table), 1):
        is_next = int(second["line"]) == int(first["line"]) + 1
        if number % 2 == half and is_next and all(first[key] == second[key] for key in ("year", "doc")):
            yield first, second


def yields(table: list[Row], half: int, settings: Explicitation) -> str:
    """Return pairs, rejections, and instances per data set in number and share of the pairs."""
    reasons, sizes, senses = Counter[str](), Counter[str](), Counter[str]()
    for row, next_row in pairs(table, half):
        first, second = row["en"], next_row["en"]
        texts = {language: next_row[f"bt_{language}"] for language in LANGUAGES}
        result = settings.absence(first, second) or settings.readings(second, texts)
        reasons[result if isinstance(result, str) else "kept"] += 1
        if not isinstance(result, str):
            sizes.update({**dict.fromkeys(variants(result, LANGUAGES), 1), "all": len(result)})
            senses[vote(result, 2) or "none"] += 1
    total = reasons.total()
    rejected = ", ".join(f"{name} {reasons[name]}" for name in get_args(Reason))
    names = Explicitation(profile="faithful").data_sets(LANGUAGES)
    parts = ", ".join(f"{name} {sizes[name]} ({sizes[name] / total:.2%})" for name in names)
    return (
        f"{total} pairs; {rejected}\n    {parts}\n    2-votes: {', '.join(f'{k} {n}' for k, n in senses.most_common())}"
    )


def main(folder: Path) -> None:
    """Print the yields."""
    table = rows(folder / MULTIWAY)
    print(PAPER)
    for system, profile, half in itertools.product(
        sorted({r["system"] for r in table}), ("faithful", "strict"), (0, 1)
    ):
        chosen = [row for row in table if row["system"] == system]
        settings = Explicitation.model_validate({"profile": profile})
        print(f"{system}, {profile}, {('even', 'odd')[half]}: {yields(chosen, half, settings)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
