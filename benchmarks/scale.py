"""CPU seconds of each stage of a build, as the number of alignments grows.

usage: python benchmarks/scale.py BITEXT.tsv.gz 10000 100000

BITEXT has French text and its English translation per line, separated by a tab. Two such lines make twenty alignments:
in every other one French is joined to one sentence, else English; in each, words that are not frequent have made room
for others of the same length, ending and case, in French and in English, so that no two are alike. They are packed as
a release in OPUS' layout, 100 links per document.

Translation costs nothing: the row store has the English of every French text before the build begins, as after a
stopped build, and the engine is `echo`. The build has the rule filters (preset `rules`), one worker, the quickstart's
parser, and else the defaults. Each size has a process; the stages of a trial are counted with those of the build.
"""

import gzip
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from whole_build import PARSER, ROOT, Stopwatch, prepare, time_tasks

sys.path.insert(0, str(ROOT / "quickstart"))
from pack import Link, pack_corpus

LINKS, TURNS = 100, 20
LENGTHS = range(5, 26)
"""Words of a sentence."""
COMMON = 300
"""The most frequent words of a language are never replaced: the language is known by them."""
WORD = re.compile(r"[^\W\d_]{4,}")
SETTINGS = {
    "pivot": "fr",
    "corpora": ["Made/v1"],
    "translation": {"engine": "echo"},
    "parser": {"pipeline": str(PARSER)},
    "filters": {"preset": "rules"},
}
Row = Sequence[str]
"""A French sentence and its translation."""


def read_bitext(path: Path) -> list[Row]:
    """Return the lines whose sides have a usual length."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [row for row in rows if all(len(text.split()) in LENGTHS for text in row)]


def replacements(texts: Sequence[str]) -> list[dict[str, str]]:
    """Return what is in the place of each word of a language, by turn; in turn 0 each keeps its place."""
    counts = Counter(word for text in texts for word in WORD.findall(text))
    common = {word for word, _ in counts.most_common(COMMON)}
    groups = defaultdict[tuple[str, int, bool], list[str]](list)
    for word in counts:
        if word.lower() not in common:
            groups[word[-2:], len(word), word.istitle()].append(word)
    turns: list[dict[str, str]] = [{} for _ in range(TURNS)]
    for words in groups.values():
        for turn, replaced in enumerate(turns):
            shift = turn % len(words)
            replaced.update(zip(words, words[shift:] + words[:shift], strict=True))
    return turns


def alignments(rows: Sequence[Row]) -> Iterator[tuple[Link, dict[str, str]]]:
    """Yield the links of all lines, with the English of their French texts."""
    words = [replacements([row[side] for row in rows]) for side in range(2)]
    for pair in zip(rows[::2], rows[1::2], strict=False):
        for turn in range(TURNS):
            french, english = (
                [_replaced(row[side], words[side][turn]) for row in pair] for side in range(2)
            )
            if turn % 2:
                link = Link({"en": [_joined(english, "and")], "fr": french})
                yield link, dict(zip(french, english, strict=True))
            else:
                link = Link({"en": english, "fr": [_joined(french, "et")]})
                yield link, {link.sides["fr"][0]: _joined(english, "and")}


def _replaced(text: str, words: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: words.get(match[0], match[0]), text)


def _joined(sentences: Sequence[str], conjunction: str) -> str:
    first, second = sentences
    return f"{first.rstrip(' .!?')}, {conjunction} {second[0].lower()}{second[1:]}"


class Memory:
    """An engine that has all translations; its rows are those of the engine `echo`."""

    signature, gpus = "echo", 0

    def __init__(self, translations: Mapping[str, str]) -> None:
        self._translations = translations

    def translate(self, texts: Sequence[str]) -> list[Any]:
        """Return the translations."""
        from bitext_pivot.translation.engine import TranslatedText

        return [TranslatedText(text=self._translations[text], confidence=None) for text in texts]


def make(bitext: Path, work: Path, size: int) -> None:
    """Pack a release of so many alignments and store their translations."""
    from bitext_pivot.tasks.translate import translate_texts

    made = [*islice(alignments(read_bitext(bitext)), size)]
    documents = {
        f"{start:07}": [link for link, _ in made[start : start + LINKS]]
        for start in range(0, len(made), LINKS)
    }
    pack_corpus(work / "opus", "Made", {"fr": documents})
    translations = {}
    for _, english in made:
        translations.update(english)
    translate_texts(Memory(translations), [*translations], work / "home" / "store", "store")


def build() -> tuple[int, dict[str, float]]:
    """Build the release, and return the number of pairs and the seconds of each stage."""
    watch = Stopwatch("cpu")
    with watch.stage("load"):
        from bitext_pivot.deployments.temporary_server import ensure_server
        from bitext_pivot.flows import pivot_bitext as recipe
        from bitext_pivot.flows.pivot_settings import PivotBitext
        from bitext_pivot.tasks import divide, export

    time_tasks(watch, recipe, divide, export)
    ensure_server(for_command=False)
    folder = recipe.pivot_bitext(PivotBitext.model_validate(SETTINGS))
    counts = json.loads((folder / "stats.json").read_text(encoding="utf-8"))["counts"]
    return sum(counts["subset"].values()), watch.finish()


def main(bitext: Path, sizes: Sequence[int]) -> None:
    """Build each size, and print a table of it."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder), "cpu")
            with ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), max_tasks_per_child=1
            ) as processes:
                processes.submit(make, bitext, Path(folder), size).result()
                pairs, seconds = processes.submit(build).result()
        print(f"\n{size:,} alignments, {pairs:,} pairs kept\n\n| stage | CPU s | a second |")
        print("|---|---|---|")
        for stage, spent in seconds.items():
            print(f"| {stage} | {spent:.1f} | {size / max(spent, 0.01):,.0f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [*map(int, sys.argv[2:])])
