"""Memory and time of a join: synthetic pairs of eight pivots are divided and joined.

usage: nice python benchmarks/join.py [--pairs 1000000] [--stages python group]

Each pair has 20 words, of 50,000; every tenth pair is equal to an earlier one with another pivot, and every tenth one
has the sentence of an earlier one and other halves. A document has 20 pairs. Each stage runs in a process of its own,
as the flow runs it, but on one core; `python` is a process that only imports the stages, and `group` is the part of
`join` that finds equal pairs and groups, without reading and writing shards.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from bitext_pivot.core.records import (
    Alignment,
    JudgedPair,
    Pair,
    Parse,
    ParsedPair,
    ScoredPair,
    Source,
)
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.corpus.division import Division

PIVOTS = ("ar", "de", "es", "fr", "it", "nl", "pt", "ru")
ROWS, WORDS, DOCUMENT, EVERY = 20_000, 50_000, 20, 10
DIVISION = Division()
PARSE = Parse(
    tokens=(), starts=(), lemmas=(), tags=(), pos=(), morphs=(), deps=(), heads=(), scheme="ud"
)


def words(seed: str, number: int) -> str:
    """Return words that depend on the seed alone."""
    return " ".join(f"w{word}" for word in random.Random(seed).choices(range(WORDS), k=number))


def plan(number: int) -> tuple[int, int, str]:
    """Return the numbers of the texts of a pair, and its pivot."""
    long, halves = number, number
    if number % EVERY in {5, 6}:
        long = number // 2
    if number % EVERY == 5:
        halves = long
    return long, halves, PIVOTS[number // ROWS % len(PIVOTS)]


def pair(number: int) -> JudgedPair:
    """Return a pair that depends on its number alone."""
    long, halves, pivot = plan(number)
    name = f"Synthetic/v1/en-{pivot}:{number}"
    texts = words(f"long {long}", 20), words(f"first {halves}", 10), words(f"second {halves}", 10)
    documents = (f"en/{number // DOCUMENT}.xml", f"{pivot}/{number // DOCUMENT}.xml")
    link = Alignment(
        id=name,
        source=Source(corpus="Synthetic", release="v1", licence="CC0-1.0", documents=documents),
        one_language="en",
        two_language=pivot,
        one=texts[0],
        two=texts[1:],
        one_id=str(number % DOCUMENT),
        two_ids=("1", "2"),
        attributes={},
    )
    plain = Pair(
        id=name,
        language="en",
        long=texts[0],
        split=texts[1:],
        pivot=pivot,
        translated="split",
        engine="none",
        alignment=link,
    )
    scored = ScoredPair(parsed=ParsedPair(pair=plain, long=PARSE, split=(PARSE, PARSE)), scores={})
    return JudgedPair(
        scored=scored,
        rejected_by=None,
        category="Direct Insertion",
        category_bisect="Direct Insertion",
        construction="other",
        split_at=None,
    )


def paths(home: Path, pairs: int) -> list[Path]:
    """Return the shards of judged pairs."""
    return [
        home / "all-en" / "judged-00000000" / f"{start:09d}.parquet"
        for start in range(0, pairs, ROWS)
    ]


def write(home: Path, pairs: int) -> None:
    """Write the shards."""
    for number, path in enumerate(paths(home, pairs)):
        some = map(pair, range(number * ROWS, min((number + 1) * ROWS, pairs)))
        shards.write(path, JudgedPair, some, {"skips": {}, "before": {}})


def _held_out(home: Path, pairs: int) -> Path:
    from bitext_pivot.corpus.recipes.joined import JUDGED
    from bitext_pivot.tasks.divide import hold_out

    return hold_out.fn(JUDGED, paths(home, pairs), DIVISION, home / "all-en")


def _divided(home: Path, pairs: int) -> list[Path]:
    from bitext_pivot.corpus.recipes.joined import JUDGED
    from bitext_pivot.tasks.divide import divide

    held_out = _held_out(home, pairs)
    states = [divide.fn(path, JUDGED, DIVISION, held_out) for path in paths(home, pairs)]
    return [Path(str(state.data)) for state in states]


def python(home: Path, pairs: int) -> None:
    """Import what the stages need."""
    from bitext_pivot.corpus.recipes import joined
    from bitext_pivot.tasks import join

    assert joined and join


def hold_out(home: Path, pairs: int) -> None:
    """Write the texts of validation and test."""
    _held_out(home, pairs)


def divide(home: Path, pairs: int) -> None:
    """Divide all shards."""
    _divided(home, pairs)


def join(home: Path, pairs: int) -> None:
    """Join all shards, which are divided."""
    from bitext_pivot.tasks.divide import Divided
    from bitext_pivot.tasks.join import join as stage

    stage.fn(Divided(paths(home, pairs), _divided(home, pairs)), Site(home=home))


def group(home: Path, pairs: int) -> None:
    """Relate pairs that are not in shards; their texts are short, because only digests are kept."""
    from bitext_pivot.corpus.joining import Joining

    link = pair(0).pair.alignment
    with tempfile.TemporaryFile(dir=home) as file:
        joining = Joining(file)
        for number in range(pairs):
            long, halves, pivot = plan(number)
            plain = Pair(
                id=f"Synthetic/v1/en-{pivot}:{number}",
                language="en",
                long=f"long {long}",
                split=(f"first {halves}", f"second {halves}"),
                pivot=pivot,
                translated="split",
                engine="none",
                alignment=link,
            )
            joining.add(plain)
        joining.group()
        for number in range(pairs):
            joining.joint(number)


STAGES = {stage.__name__: stage for stage in (python, write, hold_out, divide, join, group)}


def measured(stage: Callable[[Path, int], None], home: Path, pairs: int) -> tuple[float, float]:
    """Run a stage; return its CPU seconds, and the most memory that its process had, in GB."""
    from prefect.logging import disable_run_logger

    python(home, pairs)  # first: Prefect sets up its logs when it is imported
    begun = time.process_time()
    with disable_run_logger():
        stage(home, pairs)
    return time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def results(home: Path, pairs: int, stages: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Yield the name of each stage with its CPU seconds and memory."""
    for name in stages:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            yield name, *pool.submit(measured, STAGES[name], home, pairs).result()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=[*STAGES])
    options = parser.parse_args()
    pairs = options.pairs
    with tempfile.TemporaryDirectory() as folder:
        print(f"| {pairs:,} pairs | CPU seconds | GB |\n|---|---|---|", flush=True)
        for name, seconds, memory in results(Path(folder), pairs, options.stages):
            print(f"| {name} | {seconds:.0f} | {memory:.2f} |", flush=True)


if __name__ == "__main__":
    main()
