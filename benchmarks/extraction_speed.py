"""CPU time of our extraction, with and without screening, against opustools' OpusRead on the same files in one run.

usage: python benchmarks/extraction_speed.py OPUS      OPUS is a mirror that has the releases below

Each reader runs in a process of its own, reads the whole release and writes the ids and texts of its 1-2 and 2-1 links
to a file. OpusRead cannot read both shapes in one run, so its two runs are added up; its progress report is off. CPU
seconds (user and system) do not include the start of Python and imports; the medians of the runs are compared.
"""

import contextlib
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

RUNS = 3
RELEASES = (("Europarl/v7", "fr"), ("News-Commentary/v11", "es"), ("JusLaws/v1", "fr"))
Work = Callable[[], int]
"""Returns the number of alignments."""


def ours(opus: Path, corpus: str, language: str, out: Path, *, is_screened: bool) -> Work:
    """Return our extraction of a release, both shapes in one pass."""
    from bitext_pivot.alignments.extraction import Extraction
    from bitext_pivot.alignments.opus import fetch
    from bitext_pivot.alignments.release import Release
    from bitext_pivot.alignments.screening import identify
    from bitext_pivot.alignments.screening.screen import Screening, screen_batches
    from bitext_pivot.alignments.xces.reader import extract_alignments
    from bitext_pivot.core.site import Site

    archives = fetch(Release.parse(corpus, "en", language), Site(opus=str(opus), home=out.parent))
    if is_screened:
        identify.odds_against("it", "en")  # loads the identifier

    def work() -> int:
        number = 0
        batches = extract_alignments(archives, Extraction(), licence="unknown")
        with out.open("w", encoding="utf-8") as file:
            for batch in screen_batches(batches, Screening()) if is_screened else batches:
                for it in batch.alignments:
                    first, second = it.two_ids
                    head = f"{it.id}\n({it.one_id})>{it.one}"
                    body = f"({first})>{it.two[0]}\n({second})>{it.two[1]}"
                    file.write(f"{head}\n{body}\n")
                number += len(batch.alignments)
        return number

    return work


def theirs(opus: Path, corpus: str, language: str, out: Path, *, shape: tuple[str, str]) -> Work:
    """Return OpusRead's reading of the links of a shape."""
    from opustools import OpusRead

    name, version = corpus.split("/")
    folder, source, target = opus / f"OPUS-{corpus}", *sorted(("en", language))
    first, second = shape

    def work() -> int:
        silence = contextlib.redirect_stderr(io.StringIO())
        with out.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file), silence:
            OpusRead(
                directory=name,
                release=version,
                source=source,
                target=target,
                preprocess="raw",
                write_mode="normal",
                src_range=first,
                tgt_range=second,
                alignment_file=str(folder / "xml" / f"{source}-{target}.xml.gz"),
                source_zip=str(folder / "raw" / f"{source}.zip"),
                target_zip=str(folder / "raw" / f"{target}.zip"),
            ).printPairs()
        with out.open(encoding="utf-8") as file:
            return sum(line.startswith("(src)=") for line in file) // int(first)

    return work


def _timed(
    prepare: Callable[..., Work], files: tuple[Path, str, str, Path], options: dict[str, object]
) -> tuple[int, float]:
    work = prepare(*files, **options)
    begun = time.process_time()
    return work(), time.process_time() - begun


def measured(prepare: Callable[..., Work], *files: Any, **options: object) -> tuple[int, float]:
    """Return the number of alignments and the median of the CPU seconds; each run has a process of its own."""
    with ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), max_tasks_per_child=1
    ) as processes:
        results = [processes.submit(_timed, prepare, files, options).result() for _ in range(RUNS)]
    return results[0][0], statistics.median(seconds for _, seconds in results)


def main(opus: Path) -> None:
    """Compare both readers on each release, and what screening takes."""
    print(
        "| release | alignments | OpusRead, s | ours, s | ratio | with screening, s |\n|---|---|---|---|---|---|"
    )
    for corpus, language in RELEASES:
        with tempfile.TemporaryDirectory() as scratch:
            files = opus, corpus, language, Path(scratch) / "out.txt"
            number, plain = measured(ours, *files, is_screened=False)
            _, screened = measured(ours, *files, is_screened=True)
            shapes = [measured(theirs, *files, shape=shape) for shape in (("1", "2"), ("2", "1"))]
        read, seconds = (sum(column) for column in zip(*shapes, strict=True))
        found = str(number) if number == read else f"{number}, OpusRead {read:.0f}"
        row = found, f"{seconds:.2f}", f"{plain:.2f}", f"{seconds / plain:.1f}", f"{screened:.2f}"
        print(f"| {corpus} en-{language} | {' | '.join(row)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
