"""Parse: the three sentences of every pair, once for all filters."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from pairs.progress import tracked
from pairs.records import Pair, Parse, ParsedPair
from pairs.site import Site
from pairs.storage import shards
from pairs.syntax import parsers, parsing
from tasks.stages import STAGE, build_once, shard_path

_WORTH_A_PROCESS = 500
"""Pairs for each process; with fewer, loading spaCy there takes longer than it saves."""
_alone = Counter[str]()
"""Pairs that this process has parsed by itself: when these would have been worth the processes, more are likely."""


class _Loaded(threading.local):
    """The pipelines of one thread: a spaCy pipeline grows its string store while it works."""

    def __init__(self) -> None:
        self.pipelines: dict[tuple[parsing.Parser, str], parsing.Pipeline] = {}


_loaded = _Loaded()


@task(task_run_name="parse {shard.stem}", **STAGE)
def parse(shard: Path, language: str, parser: parsing.Parser) -> State[Path]:
    """Parse `long` and both sentences of `split`."""
    pipeline = pipeline_for(parser, language)
    out = shard_path(shard, "parsed", pipeline.signature)
    return build_once(out, ParsedPair, lambda: _parsed(shard, pipeline, parser, language), source=shard)


def pipeline_for(parser: parsing.Parser, language: str) -> parsing.Pipeline:
    """Return the pipeline of a language, loaded once a thread."""
    known = _loaded.pipelines
    if (parser, language) not in known:
        known[parser, language] = parsing.load(parser, language)
    return known[parser, language]


def _parsed(
    shard: Path, pipeline: parsing.Pipeline, parser: parsing.Parser, language: str
) -> tuple[list[ParsedPair], Counter[str]]:
    pairs = list(shards.read(shard, Pair))
    with tracked(f"parse {shard.stem}", len(pairs)) as advance:
        return parsing.parse_pairs(pairs, pipeline, parse=_apart(len(pairs), parser, language), progress=advance)


def _apart(
    pairs: int, parser: parsing.Parser, language: str
) -> Callable[[Sequence[str]], Iterator[Parse | str]] | None:
    """Return what parses in as many processes as there are workers; None where this process does it alone.

    Workers that are processes themselves have the cores between them already.
    """
    site = Site()
    if site.runner != "threads" or site.workers == 1:
        return None
    _alone["pairs"] += pairs
    if _alone["pairs"] < site.workers * _WORTH_A_PROCESS:
        return None
    return partial(parsers.parse_texts, parser=parser, language=language, processes=site.workers)
