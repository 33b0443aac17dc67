"""What a build takes, stage by stage, as the number of alignments grows: rows a second, memory, disk, exponents.

usage: python benchmarks/scale.py BITEXT.tsv.gz WORK --alignments 10000
       python benchmarks/scale.py BITEXT.tsv.gz WORK           prints the tables of all sizes that WORK has

BITEXT has French text and its English translation per line, separated by a tab. Two such lines make twenty alignments:
in every other one French is joined to one sentence, else English; in each, words that are not frequent have made room
for others of the same length, ending and case, in French and in English, so that no two are alike. They are written as
a release in OPUS' layout, 100 links per document.

Translation costs nothing: the row store has the English of every French text before the build begins, as after a
stopped build, and the engine is `echo`. What it takes to store that is the row `store`. The build has the rule filters
(preset `rules`), one worker, the quickstart's parser, and else the defaults. With `--reuse-parses` a sentence is parsed
in one of its twenty forms, and the others get its parse: a million alignments would be parsed for hours. Shards of
fewer rows (`--shard-rows`) show what the tasks of a larger build cost.

Seconds are CPU seconds of the process inside the tasks of a stage. `Prefect` is everything else since the flow began:
its server, and what the process does between tasks. Peak memory is that of the process, whose peak is reset before each
task (Linux only).
"""

import argparse
import gzip
import json
import math
import os
import re
import shutil
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import wraps
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
PARSER = ROOT / "quickstart" / "models" / "spacy-en-ud"
CORPUS, LINKS, TURNS = "Made/v1", 100, 20
LENGTHS = range(5, 26)
"""Words of a sentence."""
COMMON = 300
"""The most frequent words of a language are never replaced: the language is known by them."""
AT_ONCE = 5_000
"""Translations that are stored at once, as those of a shard."""
STAGES = {
    "check": "check", "fetch": "fetch", "extract": "extract", "run_trial": "trial", "translate": "translate",
    "parse": "parse", "score": "score", "judge": "judge", "hold_out": "hold out", "divide": "divide",
    "write_data_set": "export",
}  # fmt: skip
"""Stages by the names of their tasks, or of the functions that make them."""
OF_SHARDS = ("translate", "parse", "score", "judge")
WORD = re.compile(r"[^\W\d_]{4,}")
Row = tuple[str, str]
"""A French sentence and its translation."""


class MadeAlignment(NamedTuple):
    """The sentences of a link, and the translation of each French one."""

    english: tuple[str, ...]
    french: tuple[str, ...]
    translations: tuple[str, ...]


def read_bitext(path: Path) -> list[Row]:
    """Return the lines whose sides have a usual length."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [
        (french, english)
        for french, english in rows
        if len(french.split()) in LENGTHS and len(english.split()) in LENGTHS
    ]


class Replacement:
    """Replaces the words of one language by others of the same length, ending and case."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = Counter(word for text in texts for word in WORD.findall(text))
        common = {word for word, _ in counts.most_common(COMMON)}
        self._groups = defaultdict[tuple[str, int, bool], list[str]](list)
        for word in counts:
            if word.lower() not in common:
                self._groups[word[-2:], len(word), word.istitle()].append(word)

    def words(self, turn: int) -> dict[str, str]:
        """Return the word in the place of each word in a turn; in turn 0 each keeps its place."""
        replaced = {}
        for words in self._groups.values():
            for number, word in enumerate(words):
                replaced[word] = words[(number + turn) % len(words)]
        return replaced


def alignments(rows: Sequence[Row]) -> Iterator[MadeAlignment]:
    """Yield the alignments of all lines."""
    replacements = [Replacement([row[side] for row in rows]) for side in range(2)]
    turns = [[replacement.words(turn) for replacement in replacements] for turn in range(TURNS)]
    for pair in zip(rows[::2], rows[1::2], strict=False):
        for number, words in enumerate(turns):
            french, english = (
                tuple(_replaced(row[side], words[side]) for row in pair) for side in range(2)
            )
            if number % 2:
                yield MadeAlignment((_joined(english, "and"),), french, english)
            else:
                yield MadeAlignment(english, (_joined(french, "et"),), (_joined(english, "and"),))


def _replaced(text: str, words: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: words.get(match[0], match[0]), text)


def _joined(sentences: Sequence[str], conjunction: str) -> str:
    first, second = sentences
    return f"{first.rstrip(' .!?')}, {conjunction} {second[0].lower()}{second[1:]}"


def write_release(opus: Path, made: Iterator[MadeAlignment]) -> Iterator[tuple[str, str]]:
    """Write a release of English and French while its alignments are read; yield French texts and their English."""
    root = opus / f"OPUS-{CORPUS}"
    for name in ("xml", "raw"):
        (root / name).mkdir(parents=True)
    with (
        gzip.open(root / "xml" / "en-fr.xml.gz", "wt", encoding="utf-8") as links,
        zipfile.ZipFile(root / "raw" / "en.zip", "w", zipfile.ZIP_DEFLATED) as english,
        zipfile.ZipFile(root / "raw" / "fr.zip", "w", zipfile.ZIP_DEFLATED) as french,
    ):
        links.write('<?xml version="1.0" encoding="utf-8"?>\n<cesAlign version="1.0">\n')
        for number in range(10**9):
            document = list(islice(made, LINKS))
            if not document:
                break
            name, ids = f"{number:07}", [0, 0]
            links.write(f'<linkGrp fromDoc="en/{name}.xml.gz" toDoc="fr/{name}.xml.gz">\n')
            for alignment in document:
                targets = [_next_ids(ids, side, len(alignment[side])) for side in range(len(ids))]
                links.write(f'<link xtargets="{";".join(targets)}" />\n')
                yield from zip(alignment.french, alignment.translations, strict=True)
            links.write("</linkGrp>\n")
            for side, (archive, language) in enumerate(((english, "en"), (french, "fr"))):
                texts = (text for alignment in document for text in alignment[side])
                inner = "".join(
                    f'<s id="{n}">{escape(text)}</s>\n' for n, text in enumerate(texts, 1)
                )
                archive.writestr(
                    f"Made/raw/{language}/{name}.xml", f"<document>\n{inner}</document>\n"
                )
        links.write("</cesAlign>\n")


def _next_ids(ids: list[int], side: int, number: int) -> str:
    begin = ids[side] + 1
    ids[side] += number
    return " ".join(map(str, range(begin, ids[side] + 1)))


class Memory:
    """An engine that has all translations; its rows are those of the engine `echo`."""

    signature, gpus = "echo", 0

    def __init__(self, translations: Mapping[str, str]) -> None:
        self._translations = translations

    def translate(self, texts: Sequence[str]) -> list[Any]:
        """Return the translations."""
        from bitext_pivot.translation.engine import TranslatedText

        return [TranslatedText(text=self._translations[text], confidence=None) for text in texts]


class Meter:
    """CPU seconds, seconds by the clock and peak memory of each stage."""

    def __init__(self) -> None:
        self.stages: dict[str, dict[str, float]] = {}

    def timed(self, function: Callable[..., Any], stage: str) -> Callable[..., Any]:
        """Return a function that adds what it takes to a stage."""
        measured = self.stages[stage] = {"cpu": 0.0, "seconds": 0.0, "peak": 0.0}

        @wraps(function)
        def timed(*arguments: Any, **options: Any) -> Any:
            Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
            cpu, begun = time.process_time(), time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                measured["cpu"] += time.process_time() - cpu
                measured["seconds"] += time.perf_counter() - begun
                measured["peak"] = max(measured["peak"], peak_memory())

        return timed


def peak_memory() -> float:
    """Return the peak of this process's memory since it was reset, in MB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and its children."""
    import psutil

    this = psutil.Process()
    times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
    return sum(
        usage.user + usage.system + usage.children_user + usage.children_system for usage in times
    )


def make(bitext: Path, folder: Path, size: int) -> dict[str, float]:
    """Write a release of so many alignments and store their translations; return what storing took."""
    from bitext_pivot.tasks.translate import translate_texts

    meter = Meter()
    made = islice(alignments(read_bitext(bitext)), size)
    translations = write_release(folder / "opus", made)
    put = meter.timed(translate_texts, "store")
    while group := dict(islice(translations, AT_ONCE)):
        put(Memory(group), [*group], folder / "home" / "store", "store")
    return meter.stages["store"]


def reuse_parses() -> None:
    """Let a sentence get the parse of the first one of its shard with words of the same lengths and endings."""
    from bitext_pivot.syntax import parsing

    parse_all = parsing.parse_texts

    def reusing(texts: Sequence[str], pipeline: parsing.Pipeline) -> Iterator[Any]:
        shapes = [WORD.sub(lambda match: f"{match[0][-2:]}{len(match[0])}", text) for text in texts]
        first = dict(zip(reversed(shapes), reversed(texts), strict=True))
        parses = dict(zip(first, parse_all([*first.values()], pipeline), strict=True))
        for text, shape in zip(texts, shapes, strict=True):
            parse = parses[shape]
            if isinstance(parse, str):  # the reason why it has none
                yield parse
            else:
                words = zip(parse.starts, parse.tokens, strict=True)
                tokens = tuple(text[start : start + len(token)] for start, token in words)
                yield replace(parse, tokens=tokens)

    parsing.parse_texts = reusing


def build(
    folder: Path, size: int, stored: Mapping[str, float], shard_rows: int, *, reuses_parses: bool
) -> dict[str, Any]:
    """Build the release and return what it took."""
    meter = Meter()
    meter.stages |= {"store": dict(stored), **{name: {} for name in STAGES.values()}}
    if reuses_parses:
        reuse_parses()

    from prefect import Task

    from bitext_pivot.core.site import Site
    from bitext_pivot.flows import pivot_bitext as recipe
    from bitext_pivot.flows.pivot_settings import PivotBitext
    from bitext_pivot.tasks import divide, export, fetch
    from bitext_pivot.tasks.run import stages
    from bitext_pivot.tasks.run.temporary_server import ensure_server

    for module in (fetch, recipe, divide, export):
        for task in {value for value in vars(module).values() if isinstance(value, Task)}:
            if not hasattr(task.fn, "__wrapped__"):
                if task.fn.__name__ in STAGES:
                    task.fn = meter.timed(task.fn, STAGES[task.fn.__name__])
    make_shard = stages.build.fn
    by_stage = {name: meter.timed(make_shard, STAGES[name]) for name in OF_SHARDS}

    def timed(shard: Path, make: Any) -> Any:
        if shard.parent.parent.name == "trial":  # is measured as a whole
            return make_shard(shard, make)
        return by_stage[make.func.__name__](shard, make)

    stages.build.fn = timed
    begun, before = time.perf_counter(), cpu_seconds()
    ensure_server(for_command=False)
    settings = {
        "pivot": "fr",
        "corpora": [CORPUS],
        "shard_rows": shard_rows,
        "translation": {"engine": "echo"},
        "parser": {"pipeline": str(PARSER)},
        "filters": {"preset": "rules"},
    }
    data_set = recipe.pivot_bitext(PivotBitext.model_validate(settings))
    counts = json.loads((data_set / "stats.json").read_text(encoding="utf-8"))["counts"]
    cpu = (
        cpu_seconds()
        - before
        - sum(stage["cpu"] for name, stage in meter.stages.items() if name != "store")
    )
    meter.stages["Prefect"] = {"cpu": cpu, "seconds": 0.0, "peak": 0.0}
    return {
        "alignments": size,
        "pairs": sum(counts["subset"].values()),
        "counts": counts,
        "seconds": time.perf_counter() - begun,
        "stages": meter.stages,
        "disk": disk(folder, Site().build_folder("fr-en")),
    }


def disk(folder: Path, builds: Path) -> dict[str, float]:
    """Return the MB on disk of the release, the stores and the folders of each stage."""
    sizes = Counter[str]()
    folders = {path: path.name for path in (*folder.iterdir(), folder / "home" / "store")}
    folders |= {path: path.name.rpartition("-")[0] for path in builds.iterdir() if path.is_dir()}
    for path, name in folders.items():
        if path.is_symlink() or name == "home":
            continue
        sizes[name] += sum(file.lstat().st_size for file in path.rglob("*") if file.is_file())
    return {name: size / 1e6 for name, size in sizes.items()}


def print_tables(results: Sequence[Mapping[str, Any]]) -> None:
    """Print what each stage took, for each size, and the exponents of the growth from the size before."""
    for number, result in enumerate(results):
        size = result["alignments"]
        print(
            f"\n{size:,} alignments, {result['pairs']:,} pairs kept, {result['seconds']:.0f} s by the clock\n\n"
            "| stage | CPU s | alignments a second and core | peak memory, MB | exponent |\n|---|---|---|---|---|"
        )
        for name, stage in result["stages"].items():
            rate = size / max(stage["cpu"], 0.01)
            row = [f"{stage['cpu']:.1f}", f"{rate:,.0f}", f"{stage['peak']:.0f}"]
            before = results[number - 1]["stages"].get(name) if number else None
            row.append(exponent(result, results[number - 1], name) if before else "")
            print(f"| {name} | {' | '.join(row)} |")
        parts = (f"{name} {size:.1f}" for name, size in result["disk"].items())
        print(f"\nMB on disk: {', '.join(parts)}")


def exponent(result: Mapping[str, Any], before: Mapping[str, Any], name: str) -> str:
    """Return the exponent of the growth of a stage's CPU seconds between two sizes."""
    sizes = [each["alignments"] for each in (result, before)]
    seconds = [max(each["stages"][name]["cpu"], 0.01) for each in (result, before)]
    return f"{math.log(seconds[0] / seconds[1]) / math.log(sizes[0] / sizes[1]):.2f}"


def main() -> None:
    """Build one size, if one is given, and print the tables of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bitext", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--alignments", type=int)
    parser.add_argument("--reuse-parses", action="store_true")
    parser.add_argument("--shard-rows", type=int, default=5_000)
    options = parser.parse_args()
    if size := options.alignments:
        folder = options.work.resolve() / str(size)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "prefect").mkdir(parents=True)
        os.environ |= {
            "OMP_NUM_THREADS": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_HOME": str(folder / "prefect"), "PREFECT_LOGGING_LEVEL": "ERROR",
            "BITEXT_PIVOT_HOME": str(folder / "home"), "BITEXT_PIVOT_OPUS": str(folder / "opus"),
            "BITEXT_PIVOT_RUNNER": "threads", "BITEXT_PIVOT_WORKERS": "1", "BITEXT_PIVOT_THREADS": "1",
        }  # fmt: skip
        with ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), max_tasks_per_child=1
        ) as processes:
            stored = processes.submit(make, options.bitext, folder, size).result()
            result = processes.submit(
                build, folder, size, stored, options.shard_rows, reuses_parses=options.reuse_parses
            ).result()
        path = options.work / f"{size}.json"
        path.write_text(json.dumps(result, indent=1), encoding="utf-8")
    results = [json.loads(path.read_text("utf-8")) for path in options.work.glob("*.json")]
    print_tables(sorted(results, key=lambda result: result["alignments"]))


if __name__ == "__main__":
    main()
