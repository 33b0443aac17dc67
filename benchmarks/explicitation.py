"""How many implicit relations the back-translations of four languages make explicit, beside Shi et al. (2019).

usage: python benchmarks/explicitation.py FOLDER

FOLDER has `wmt_multiway_visible.tsv.gz` (English sentences in order, back-translated by two systems) and `ted_mdb` (TED
talks with relations linked across languages). The lists of markers were fixed on even lines; odd lines are reported.
"""

import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

from eval_pairs import MULTIWAY, Row, rows

from discourse.explicitation.markers import connective, is_marked
from discourse.explicitation.senses import sense
from discourse.explicitation.votes import Explicitation, Reason, variants, vote

LANGUAGES = ("fr", "de", "es", "cs")
PAPER = "paper, 3 languages: each 2.7-3.1 %, 2-votes 1.75 %, 3-votes 0.24 %"
GLOSSES = {
    "und": "and", "e": "and", "aber": "but", "mas": "but", "auch": "also", "oder": "or", "denn": "because",
    "und deshalb": "and therefore", "um": "in order", "para": "in order", "por": "in order", "a": "in order",
}  # fmt: skip
"""What German and Portuguese connectives of ted_mdb become in a back-translation."""


def pairs(table: list[Row], half: int) -> Iterator[tuple[Row, Row]]:
    """Yield the consecutive sentences of a document whose second is on an even (0) or odd (1) line."""
    for number, (first, second) in enumerate(itertools.pairwise(table), 1):
        is_next = int(second["line"]) == int(first["line"]) + 1
        if number % 2 == half and is_next and all(first[key] == second[key] for key in ("year", "doc")):
            yield first, second


def yields(table: list[Row], half: int, settings: Explicitation) -> str:
    """Return pairs, rejections, and instances per data set in number and share of the pairs."""
    reasons, sizes, senses = Counter[str](), Counter[str](), Counter[str]()
    for one, two in pairs(table, half):
        first, second = one["en"], two["en"]
        result = settings.absence(first, second) or settings.readings(second, {x: two[f"bt_{x}"] for x in LANGUAGES})
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


def gold_case(english: ElementTree.Element, foreign: ElementTree.Element) -> str:
    """Return `findable`, or why the method cannot find a gold case."""
    word = (foreign.findtext("Conn") or "").strip().lower()
    second = (english.findtext("Arg2") or "").strip()
    marker = connective(f"{GLOSSES[word]}, {second}")
    if not second[:1].isupper():
        return "inside a sentence"
    if is_marked(second):
        return "the original has a marker, too"
    if marker is None:
        return f"no connective of the list at the start: {GLOSSES[word]}"
    gold = ".".join((english.get("Sense") or "").split(":")[:2])
    return "findable, sense of gold" if sense(marker) == gold else f"findable, another sense: {marker} for {gold}"


def gold(path: Path) -> Counter[str]:
    """Return the number of relations implicit in English and explicit in the translation, by what the method finds."""
    found = Counter[str]()
    for pair in ElementTree.parse(path).getroot().iter("relation_pair"):
        english, foreign = sorted(pair.findall("relation"), key=lambda one: one.get("Language") != "en")
        if (english.get("Type"), foreign.get("Type")) == ("Implicit", "Explicit"):
            found[gold_case(english, foreign)] += 1
    return found


def main(folder: Path) -> None:
    """Print the yields and the gold cases."""
    table = rows(folder / MULTIWAY)
    print(PAPER)
    for system, profile, half in itertools.product(
        sorted({r["system"] for r in table}), ("faithful", "strict"), (0, 1)
    ):
        chosen = [row for row in table if row["system"] == system]
        settings = Explicitation.model_validate({"profile": profile})
        print(f"{system}, {profile}, {('even', 'odd')[half]}: {yields(chosen, half, settings)}")
    for path in sorted((folder / "ted_mdb").glob("*.xml")):
        found = gold(path)
        print(f"{path.name}: {found.total()} implicit in English, explicit in the translation")
        print("".join(f"    {number:3} {cause}\n" for cause, number in found.most_common()), end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
