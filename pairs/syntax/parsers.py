"""Several processes that parse: spaCy holds the interpreter for part of its work, so threads do not fill the cores.

This is the only file that imports loky: its processes serve all shards and threads of a build, need no guarded main
script, end when nothing is asked of them for a while or when the build is killed, and are replaced when one dies.
"""

import functools
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import repeat
from pathlib import Path
from typing import Any

import loky  # type: ignore[import-untyped]

from pairs.errors import ShardError
from pairs.records import Parse
from pairs.syntax.parsing import Parser, Pipeline, batches, load, parse_batch

_IDLE = 60  # seconds after which a process without work ends; loading spaCy anew takes a few
_LOOK_EVERY = 2  # seconds between two looks whether the build still lives


def parse_texts(texts: Sequence[str], parser: Parser, language: str, processes: int) -> Iterator[Parse | str]:
    """Yield for each text, in order, its parse, or the reason why it has none, computed by several processes.

    The batches are those of `parsing.parse_texts`, and so are the parses, to the bit. Raises ShardError when a process
    dies, and what `load` raises.
    """
    try:
        for parses in _pool(processes).map(_parse, batches(texts), repeat(_settled(parser)), repeat(language)):
            yield from parses
    except BrokenProcessPool as error:
        raise ShardError(
            f"A process that parses ended before its work was done ({str(error).splitlines()[0]}). Expected memory for "
            f"{processes} spaCy pipelines; run again, with fewer workers where memory is short (BITEXT_PIVOT_WORKERS)."
        ) from error


def _pool(processes: int) -> Any:
    """Return the processes, started unless they are there, as long as all of a build ask for the same number."""
    return loky.get_reusable_executor(
        max_workers=processes, timeout=_IDLE, initializer=_end_with, initargs=(os.getpid(),)
    )


def _end_with(build: int) -> None:
    """Let this process end soon after the build's: killed, that leaves its processes waiting for work for good."""

    def watch() -> None:
        while os.getppid() == build:
            time.sleep(_LOOK_EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _settled(parser: Parser) -> Parser:
    """Return the parser with its folder as an absolute path: the processes stay where they were started."""
    if parser.pipeline is None or not Path(parser.pipeline).is_dir():
        return parser
    return parser.model_copy(update={"pipeline": str(Path(parser.pipeline).resolve())})


def _parse(texts: Sequence[str], parser: Parser, language: str) -> list[Parse | str]:
    return list(parse_batch(texts, _pipeline(parser, language)))


@functools.cache
def _pipeline(parser: Parser, language: str) -> Pipeline:
    """Return a process's own pipeline, loaded once."""
    return load(parser, language)
