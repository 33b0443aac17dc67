"""How many implicit relations the back-translations of four languages make explicit, beside Shi et al. (2019).

usage: python benchmarks/explicitation.py FOLDER

FOLDER has `wmt_multiway_visible.tsv.gz`: English sentences in order, back-translated by two systems. The lists of
markers were fixed on even lines; odd lines are reported. Then the BLEU of the back-translations against the English
originals (Figure 3) and the senses before and after the votes (Figure 2), beside those of implicit relations in GUM if
FOLDER has `models/gdtb/gum_dev.rels.gz`.
"""

import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from eval_pairs import MULTIWAY, Row, rows
from sacrebleu.metrics.bleu import BLEU

from bitext_pivot.core.tables import markdown_table
from bitext_pivot.discourse.explicitation.votes import Explicitation, Reason, variants, vote
from bitext_pivot.research.models import published_files

LANGUAGES = ("fr", "de", "es", "cs")
PAPER_BLEU = "66.2, 65.3, 69.1, in the order of print"
PAPER = "paper, 3 languages: each 2.7-3.1 %, 2-votes 1.75 %, 3-votes 0.24 %"


def pairs(table: list[Row], half: int) -> Iterator[tuple[Row, Row]]:
    """Yield the consecutive sentences of a document whose second is on an even (0) or odd (1) line."""
    for number, (first, second) in enumerate(itertools.pairwise(table), 1):
        is_next = int(second["line"]) == int(first["line"]) + 1
        if (
            number % 2 == half
            and is_next
            and all(first[key] == second[key] for key in ("year", "doc"))
        ):
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
        f"{total} pairs; {rejected}\n    {parts}\n    2-votes: "
        f"{', '.join(f'{k} {n}' for k, n in senses.most_common())}"
    )


def bleu(table: list[Row]) -> str:
    """Return the BLEU of the back-translations of each system and language, in the rows of a table."""
    lines = []
    for system in sorted({row["system"] for row in table}):
        chosen = [row for row in table if row["system"] == system]
        originals = [row["en"] for row in chosen]
        scores = [
            BLEU().corpus_score([row[f"bt_{name}"] for row in chosen], [originals]).score
            for name in LANGUAGES
        ]
        lines.append((system, *(f"{score:.1f}" for score in scores)))
    return markdown_table(("BLEU", *LANGUAGES), lines)


def in_gum(path: Path) -> Counter[str]:
    """Return the senses of the implicit relations in a file of GUM, Contrast and Concession as one."""
    if not path.exists():
        return Counter()
    counts = Counter[str]()
    for row in published_files.rows(path, "relations", Counter()):
        kind, _, name = row["sense"].partition(".")
        sense = f"{kind.capitalize()}.{name.capitalize()}"
        counts["Comparison.Contrast" if sense == "Comparison.Concession" else sense] += 1
    return counts


def senses(table: list[Row], settings: Explicitation, gum: Counter[str]) -> str:
    """Return the shares of the senses in GUM, among readings before the votes, and in pairs with two or three."""
    counts = {"GUM": gum, **{name: Counter[str]() for name in ("readings", "2 votes", "3 votes")}}
    for row, next_row in pairs(table, 1):
        first, second = row["en"], next_row["en"]
        texts = {language: next_row[f"bt_{language}"] for language in LANGUAGES}
        found = settings.absence(first, second) or settings.readings(second, texts)
        if isinstance(found, str):
            continue
        counts["readings"].update(reading.sense for reading in found)
        for votes in (2, 3):
            if sense := vote(found, votes):
                counts[f"{votes} votes"][sense] += 1
    names = [name for name, _ in (counts["readings"] + gum).most_common()]
    rows = [
        (
            name,
            *(f"{100 * number[name] / max(1, number.total()):.1f}" for number in counts.values()),
        )
        for name in names
    ]
    heads = [f"{name}, {number.total()}" for name, number in counts.items()]
    return markdown_table(("sense, in percent", *heads), rows)


def main(folder: Path) -> None:
    """Print the yields, the BLEU and the senses."""
    table = rows(folder / MULTIWAY)
    print(PAPER)
    for system, profile, half in itertools.product(
        sorted({r["system"] for r in table}), ("faithful", "strict"), (0, 1)
    ):
        chosen = [row for row in table if row["system"] == system]
        settings = Explicitation.model_validate({"profile": profile})
        print(f"{system}, {profile}, {('even', 'odd')[half]}: {yields(chosen, half, settings)}")
    print(f"\nThe paper's BLEU, French, German and Czech: {PAPER_BLEU}\n\n{bleu(table)}")
    gum = in_gum(folder / "models" / "gdtb" / "gum_dev.rels.gz")
    for system in sorted({row["system"] for row in table}):
        chosen = [row for row in table if row["system"] == system]
        print(
            f"\n{system}, faithful, odd:\n\n{senses(chosen, Explicitation(profile='faithful'), gum)}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
