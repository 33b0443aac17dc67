"""How fast each check of the screening is, what the language check finds and loses, and whether memory stays flat.

usage: python benchmarks/screening.py speed BASE CORPUS/RELEASE ONE OTHER
       python benchmarks/screening.py languages PAIRS.tsv.gz ONE OTHER
       python benchmarks/screening.py memory KEYS

`speed`: candidates a CPU second, of BASE, a folder in OPUS layout; the peer is reading them. `languages`: sentence
pairs, one a line with a tab; each side is taken for the language it is in and for the other; the peer is lingua, at the
odds where it loses as much, where it is installed. `memory`: peak resident size
of the store of first links with KEYS random keys.
"""

import gzip
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from alignments.extract import Extraction, extract
from alignments.release import Release, fetch
from alignments.screening.duplicates import FirstLinks
from alignments.screening.identify import LanguageCheck, evidence, odds_against
from alignments.screening.screen import Screening, screen
from alignments.statistics import Statistics

LETTERS = (15, 20, 30, 50, 100, 10_000)
SAMPLE = 4_000
PANEL = ("en", "fr", "de", "es", "it", "pt", "nl", "pl", "ro", "sv", "ca")


def seconds(do: Callable[[], object]) -> float:
    """Return the CPU seconds that a call takes in this process."""
    begun = time.process_time()
    do()
    return time.process_time() - begun


def speed(base: str, corpus: str, one: str, other: str) -> None:
    """Print candidates a CPU second of reading, of each check and of all together."""
    release, check = Release.of(corpus, one, other), Screening()
    with tempfile.TemporaryDirectory() as folder:
        archives = fetch(release, base, Path(folder))
        batches: list[Any] = []
        reading = seconds(lambda: batches.extend(extract(archives, release, Extraction(), licence="")))
        found = [alignment for batch in batches for alignment in batch.alignments]
        odds_against("load the model first", "en")
        boilerplate, duplicates = check.boilerplate, check.duplicates
        parts: dict[str, Callable[[Any], object]] = {
            "boilerplate": lambda alignment: (boilerplate.fault(alignment), boilerplate.clean_up(alignment)),
            "lengths": check.lengths.fault,
            "language": check.language.fault,
            "keys of duplicates": duplicates.key,
        }
        took = {name: seconds(lambda part=part: [*map(part, found)]) for name, part in parts.items()}
        took["statistics"] = seconds(lambda: Statistics.of(found, {}, {}))
        for name, settings in (("all but language", {"language": {"enabled": False}}), ("all", {})):
            asked, store = Screening.model_validate(settings), Path(folder) / f"{name}.sqlite"
            took[name] = seconds(lambda a=asked, s=store: [*screen(batches, a, languages=release.languages, store=s)])
    print(f"{release.name}: {len(found)} candidates; reading {len(found) / reading:,.0f} a CPU second")
    for name, cost in took.items():
        print(f"{name:20} {len(found) / cost:10,.0f} a CPU second   {cost / reading:5.2f} of reading")


def languages(pairs: str, one: str, other: str) -> None:
    """Print how much text of the wrong language each library finds where it loses as little of the right one."""
    with gzip.open(pairs, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t")[:2] for line in file]
    rows = random.Random(1).sample(rows, min(SAMPLE, len(rows)))
    texts = [(text, language) for row in rows for text, language in zip(row, (one, other), strict=True)]
    swapped = {one: other, other: one}
    for name, against in (("py3langid", odds_against), ("lingua", lingua())):
        if against is None:
            print("lingua is not installed")
            continue
        against("load the model first", "en")
        right, wrong = [], []
        cost = seconds(lambda ask=against, to=right: to.extend(ask(text, language) for text, language in texts))
        wrong = [against(text, swapped[language]) for text, language in texts]
        print(f"{name}: {len(texts) / cost:,.0f} texts a CPU second")
        own = LanguageCheck().odds if name == "py3langid" else None
        print_by_letters([evidence(text) for text, _ in texts], right, wrong, own)


def print_by_letters(letters: list[int], right: list[float], wrong: list[float], odds: float | None) -> None:
    """Print one line for each range of letters, at `odds` and at the odds where 1 of 2,000 right texts is lost."""
    judged = sorted(value for count, value in zip(letters, right, strict=True) if count >= LETTERS[0])
    even = judged[-1 - len(judged) // 2_000] * 1.001
    for least, most in pairwise((0, *LETTERS)):
        inside = [place for place, count in enumerate(letters) if least <= count < most]
        for bound in [even] if odds is None else [odds, even]:
            lost = sum(right[place] >= bound for place in inside)
            found = sum(wrong[place] >= bound for place in inside) / max(1, len(inside))
            share = f"{len(inside):5} texts, lost {lost:2}, found {found:6.1%}"
            print(f"  {least:3} to {most - 1:5} letters, odds {bound:9.2f}: {share}")


def lingua() -> Callable[[str, str], float] | None:
    """Return the peer of `odds_against`, with eleven languages, since all 44 make it ten times slower."""
    try:
        from lingua import IsoCode639_1, LanguageDetectorBuilder
    except ImportError:
        return None
    codes = [getattr(IsoCode639_1, code.upper()) for code in PANEL]
    detector = LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_preloaded_language_models().build()

    def against(text: str, language: str) -> float:
        values = detector.compute_language_confidence_values(text)
        chances = {value.language.iso_code_639_1.name.lower(): value.value for value in values}
        own = chances.pop(language)
        return max(chances.values()) / own if own > 0 else float("inf")

    return against


def memory(keys: int) -> None:
    """Print the peak resident size after each tenth of the keys."""
    draw = random.Random(1).getrandbits
    with tempfile.TemporaryDirectory() as folder, closing(FirstLinks(Path(folder) / "keys.sqlite")) as store:
        begun, link = time.process_time(), 0
        for tenth in range(1, 11):
            while link < keys * tenth // 10:
                some = [draw(64) - 2**63 for _ in range(2_000)]
                store.claim(some, range(link + 1, link + 2_001), link + 2_000)
                link += 2_000
            rate = link / (time.process_time() - begun)
            size = store.path.stat().st_size / 1e6
            print(f"{link:11,} keys: {peak():.0f} MB at most, {size:.0f} MB of file, {rate:,.0f} keys a CPU second")


def peak() -> float:
    """Return the peak resident size of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "memory":
        memory(int(rest[0]))
    else:
        {"speed": speed, "languages": languages}[what](*rest)
