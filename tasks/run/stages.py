"""Stages over shards: where a stage writes, and which shards it reuses."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import tracked, warn
from bitext_pivot.core.storage import atomic, indexed, manifest, shards
from bitext_pivot.core.storage.locks import locked, sweep
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.run_page import guard_run_page, is_news, is_no_build_error
from bitext_pivot.tasks.run.targets import Stage, StageFacts, Target

_Result = TypeVar("_Result")

guard_run_page()
for _name in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(is_no_build_error)
    logging.getLogger(_name).addFilter(is_news)

STAGE: dict[str, Any] = {"cache_policy": NO_CACHE, "persist_result": False}
"""Options of all tasks. Prefect caches nothing: shards on disk record what is done (docs/decisions/0002)."""


def once(is_done: Callable[[], object], write: Callable[[], None], path: Path) -> bool:
    """Call `write` unless `is_done`, and return True if it was called here.

    While another thread, process or machine writes the file or folder `path`, wait for it, and look again. What takes
    long inside is logged.
    """
    if is_done():
        return False
    with in_the_log(), locked(path, get_run_logger()):
        if is_done():
            return False
        write()
    return True


@task(**STAGE)
def build(shard: Path, make: Callable[[], Stage]) -> State[Path]:
    """Make the shard of a stage out of one of the stage before, as `build_once` does.

    The stage is made by the worker: the signatures in its key are those of the models there.
    """
    stage, facts = make(), StageFacts()
    run = stage.run
    if run is None:
        raise TypeError(f"{stage.name} makes no shard of a shard")
    return build_once(
        stage.target(shard),
        stage.makes,
        lambda: run(shards.read(shard, stage.reads, without=stage.without), shard.stem, facts),
        source=shard,
        facts=facts,
    )


def build_once(
    target: Target,
    record: type[_Result],
    build: Callable[[], tuple[Iterable[_Result], Counter[str]]],
    *,
    source: Path,
    facts: Mapping[str, Any] | None = None,
) -> State[Path]:
    """Build a shard from shard `source` unless it exists. The returned state is named `Completed` or `Reused`.

    A damaged shard is built again (`shards.find`). While another run builds the shard, wait and reuse its result.

    `build` returns the records and the skips by reason. The manifest gets rows, sha256, skips, the seconds
    that it took, and in `before` the counts of all earlier stages, so that the export reads one manifest per
    shard. It gets `facts`, too, to which `build` may have added.

    Raises:
        ShardError: the shard cannot be built; the message begins with its name.
    """
    out = target.path
    is_new = once(
        lambda: shards.find(out),
        lambda: _build(out, record, build, source=source, facts=facts),
        out,
    )
    _record(target, is_new=is_new)
    counts = atomic.read_manifest(out)
    message = f"{counts['rows']} rows, built before"
    if is_new:
        message = f"{counts['rows']} rows in {counts['seconds']:.1f} s, skipped {_reasons(counts['skips'])}"
    return _ended(message, out, is_new=is_new)


def _record(target: Target, *, is_new: bool) -> None:
    """Write the key of a target beside it; log once a folder why it was built, if others of its stage are there."""
    if target.record() and is_new and (part := target.other()):
        get_run_logger().info("%s: built again: other %s", target.path.parent.name, part)


def _ended(message: str, result: _Result, *, is_new: bool) -> State[_Result]:
    return Completed(name="Completed" if is_new else "Reused", message=message, data=result)


def _build(
    out: Path,
    record: type[_Result],
    build: Callable[[], tuple[Iterable[_Result], Counter[str]]],
    *,
    source: Path,
    facts: Mapping[str, Any] | None,
) -> None:
    begun = time.monotonic()
    try:
        records, skips = build()
    except ShardError as error:
        raise ShardError(f"{out.parent.name}/{out.stem}: {error}") from error
    counts = {
        "before": cumulative_counts(source),
        "skips": dict(sorted(skips.items())),
        **(facts or {}),
    }
    shards.write(out, record, records, counts, begun=begun)


def write_shards(
    stage: str,
    target: Target,
    record: type[_Result],
    parts: Callable[[], Iterable[tuple[Sequence[_Result], Any]]],
) -> State[list[Path]]:
    """Write the shards of one source unless all exist, and return them in order; `parts` as for `indexed.write`.

    `target` is that of their index. The returned state is named `Completed` or `Reused`.
    """
    index = target.path

    def write() -> None:
        with tracked(f"{stage} {index.stem}", None, "rows") as advance:
            indexed.write(index, record, parts(), advance)

    is_new = once(lambda: indexed.is_complete(index), write, index)
    _record(target, is_new=is_new)
    paths = indexed.paths(index)
    kind = index.parent.name.partition("-")[0]
    get_run_logger().info("%s: shards of %s: %d", index.stem, kind, len(paths))
    return _ended(f"shards: {len(paths)}", paths, is_new=is_new)


def write_once(folder: Path, parts: Iterable[str], write: Callable[[], None]) -> None:
    """Write a data set unless all files of its manifest are there, and let `latest` point to it if it has rows.

    If a file is missing or differs, or another data set is in the place of this one, all are written again. What a
    killed run left in the folder and in its `parts` is removed first.
    """
    problems: list[str] = []

    def is_done() -> bool:
        problems[:] = manifest.problems(folder) or manifest.misplaced(folder)
        return not problems

    def write_again() -> None:
        if (folder / manifest.NAME).exists():  # a killed run left none
            warn(f"{folder.name} is written again: {', '.join(problems)}")
        for part in (folder, *(folder / name for name in parts)):
            sweep(part, "*")
        write()

    once(is_done, write_again, folder)
    finished.point_latest(folder)


def cumulative_counts(shard: Path) -> dict[str, dict[str, Any]]:
    """Return the counts of a shard and of the shards it was built from, by the stage name of their folders.

    For instance `{"alignments": {"rows": 40, "skips": {...}, ...}, "pairs": {"rows": 38, "skips": {...}}}`.
    """
    counts = atomic.read_manifest(shard)
    before = counts.pop("before", {})
    return {**before, shard.parent.name.rpartition("-")[0]: counts}


def _reasons(skips: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(skips.items())) or "none"
