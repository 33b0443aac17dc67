"""CPU time of splitting a bitext's lines, against the library alone, and of aligning sentences, against nltk.

usage: python benchmarks/splitting.py MOSES_ZIP LANGUAGE LANGUAGE [LINES]

Each pair of ways works on the same lines in one run. `library` is sentence-splitter asked for every line; the sentences
are compared, too. The extraction is that of both sides of the whole zip. The alignment is of the lengths of the first
300 lines of one side with the first 301 of the other, nltk's `align_blocks` being the peer.
"""

import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from nltk.translate.gale_church import align_blocks
from sentence_splitter import SentenceSplitter

from alignments.extract import Extraction
from alignments.release import Release
from alignments.texts.beads import align
from alignments.texts.lines import read_zip
from alignments.texts.segments import batches
from alignments.texts.splitting import Splitter


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a piece of work, and what it gave."""
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def main(path: Path, one: str, other: str, lines: int) -> None:
    """Measure and print."""
    release = Release.of("Any/v1:moses", one, other)
    segments = list(islice(read_zip(path, release), lines))
    for side, language in enumerate(release.languages):
        ours, library = Splitter(language), SentenceSplitter(language)
        texts = [segment.texts[side] for segment in segments]
        short, found = seconds(lambda: [ours.split(text) for text in texts])  # noqa: B023 -- called at once
        long, whole = seconds(lambda: [library.split(text) for text in texts])  # noqa: B023
        same = found == [[" ".join(s.split()) for s in sentences if s.strip()] for sentences in whole]
        several = sum(len(sentences) > 1 for sentences in found) / len(texts)
        print(f"{language}: {len(texts)} lines, {several:.1%} of them several sentences; equal: {same}")
        speeds = len(texts) / long, len(texts) / short
        print(f"    lines a CPU second: library {speeds[0]:,.0f}, here {speeds[1]:,.0f}, ratio {long / short:.1f}")
    spent, found = seconds(lambda: list(batches(read_zip(path, release), release, Extraction(), licence="any")))
    print(f"extraction of both sides: {found[-1].last_link / spent:,.0f} lines a CPU second")
    lengths = [[len(segment.texts[side]) or 1 for segment in segments[: 300 + side]] for side in (0, 1)]
    ours_spent, _ = seconds(lambda: align(*lengths))
    nltk_spent, _ = seconds(lambda: align_blocks(*lengths))
    print(f"alignment of 300 by 301 sentences: {nltk_spent / ours_spent:.1f} times nltk's speed")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 20_000)
