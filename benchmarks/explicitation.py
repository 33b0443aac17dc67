"""How many implicit relations the back-translations of four languages make explicit, beside Shi et al. (2019).

usage: python benchmarks/explicitation.py FOLDER [--read SYSTEM]

FOLDER has `wmt_multiway_visible.tsv.gz` (English sentences in order, back-translated by two systems) and `ted_mdb` (TED
talks with relations linked across languages). The lists of markers were fixed on even lines; odd lines are reported.
--read prints fifty seeded instances of odd lines with two votes or more.
"""

import argparse
import csv
import gzip
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

from discourse.explicitation.markers import connective, is_marked
from discourse.explicitation.senses import sense
from discourse.explicitation.votes import Instance, Profile, Reason, read, variants, vote

LANGUAGES = ("fr", "de", "es", "cs")
PAPER = "paper, 3 languages: each 2.7-3.1 %, 2-votes 1.75 %, 3-votes 0.24 %"
GLOSSES = {
    "und": "and", "e": "and", "aber": "but", "mas": "but", "auch": "also", "oder": "or", "denn": "because",
    "und deshalb": "and therefore", "um": "in order", "para": "in order", "por": "in order", "a": "in order",
}  # fmt: skip
"""What German and Portuguese connectives of ted_mdb become in a back-translation."""
Row = dict[str, str]


def rows(table: Path) -> list[Row]:
    """Return the lines of a compressed table."""
    with gzip.open(table, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def pairs(table: list[Row], half: int) -> Iterator[tuple[Row, Row]]:
    """Yield the consecutive sentences of a document whose second is on an even (0) or odd (1) line."""
    for number, (first, second) in enumerate(itertools.pairwise(table), 1):
        is_next = int(second["line"]) == int(first["line"]) + 1
        if number % 2 == half and is_next and all(first[key] == second[key] for key in ("year", "doc")):
            yield first, second


def instances(table: list[Row], half: int, profile: Profile) -> tuple[list[Instance], Counter[str]]:
    """Return the instances of half of the lines, and the number of pairs by reason, `kept` among them."""
    found, reasons = [], Counter[str]()
    for first, second in pairs(table, half):
        result = read(first["en"], second["en"], {x: second[f"bt_{x}"] for x in LANGUAGES}, profile)
        reasons["kept" if isinstance(result, Instance) else result] += 1
        if isinstance(result, Instance):
            found.append(result)
    return found, reasons


def yields(table: list[Row], half: int, profile: Profile) -> str:
    """Return pairs, rejections, and instances per data set in number and share of the pairs."""
    found, reasons = instances(table, half, profile)
    total = reasons.total()
    sizes = Counter[str]()
    for instance in found:
        sizes.update({name: len(labels) for name, labels in variants(instance, LANGUAGES).items()})
    senses = Counter(label for instance in found if (label := vote(instance.readings, 2)))
    rejected = ", ".join(f"{name} {reasons[name]}" for name in get_args(Reason))
    parts = ", ".join(f"{name} {number} ({number / total:.2%})" for name, number in sizes.items())
    return (
        f"{total} pairs; {rejected}\n    {parts}\n    2-votes: {', '.join(f'{k} {n}' for k, n in senses.most_common())}"
    )


def reading(table: list[Row], profile: Profile, number: int = 50) -> None:
    """Print instances with two votes or more."""
    found = [one for one in instances(table, 1, profile)[0] if vote(one.readings, 2)]
    for one in random.Random(1).sample(found, min(number, len(found))):
        signals = " ".join(f"{r.language}:{r.connective.replace(' ', '_')}" for r in one.readings)
        print(f"{vote(one.readings, 2)} [{signals}]\n  1 {one.first}\n  2 {one.second}")


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


def main() -> None:
    """Print the yields and the gold cases, or instances to read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--read", metavar="SYSTEM")
    arguments = parser.parse_args()
    table = rows(arguments.folder / "wmt_multiway_visible.tsv.gz")
    if arguments.read:
        reading([row for row in table if row["system"] == arguments.read], "strict")
        return
    print(PAPER)
    for system, profile, half in itertools.product(sorted({r["system"] for r in table}), get_args(Profile), (0, 1)):
        chosen = [row for row in table if row["system"] == system]
        print(f"{system}, {profile}, {('even', 'odd')[half]}: {yields(chosen, half, profile)}")
    for path in sorted((arguments.folder / "ted_mdb").glob("*.xml")):
        found = gold(path)
        print(f"{path.name}: {found.total()} implicit in English, explicit in the translation")
        print("".join(f"    {number:3} {cause}\n" for cause, number in found.most_common()), end="")


if __name__ == "__main__":
    main()
