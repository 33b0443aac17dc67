"""Stages over shards: where a stage writes, and which shards it reuses."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from prefect import get_run_logger
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import tracked, warn
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, folders, indexed, manifest, shards
from bitext_pivot.core.storage.locks import locked, sweep
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.run_page import guard_run_page, is_no_build_error

Result = TypeVar("Result")

guard_run_page()
for _name in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(is_no_build_error)

STAGE: dict[str, Any] = {"cache_policy": NO_CACHE, "persist_result": False}
"""Options of all tasks. Prefect caches nothing: shards on disk record what is done (docs/decisions/0002)."""


def shard_path(shard: Path, stage: str, *settings: object) -> Path:
    """Return the output path of a stage for the input `shard`: `<stage>-<8 hex>/<name>`, beside the input's folder.

    The eight digits change with the name of the input's folder and with every setting of the stage.
    """
    return shard.parent.parent / f"{stage}-{key(shard.parent.name, *settings)}" / shard.name


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


def build_once(
    out: Path,
    record: type[Result],
    build: Callable[[], tuple[Iterable[Result], Counter[str]]],
    *,
    source: Path,
    facts: Mapping[str, Any] | None = None,
) -> State[Path]:
    """Build shard `out` from shard `source` unless it exists. The returned state is named `Completed` or `Reused`.

    A damaged shard is built again (`shards.find`). While another run builds the shard, wait and reuse its result.

    `build` returns the records and the skips by reason. The manifest gets rows, sha256, seconds, skips, and in
    `before` the counts of all earlier stages, so that the export reads one manifest per shard. It gets `facts`, too,
    to which `build` may have added; the seconds are without those that it `waited`.

    Raises:
        ShardError: the shard cannot be built; the message begins with its name.
    """
    start = time.monotonic()
    is_new = once(
        lambda: shards.find(out),
        lambda: _build(out, record, build, source=source, facts=facts),
        out,
    )
    counts = atomic.read_manifest(out)
    message = f"{counts['rows']} rows, built before"
    if is_new:
        message = f"{counts['rows']} rows in {time.monotonic() - start:.1f} s, skipped {_reasons(counts['skips'])}"
    return Completed(name="Completed" if is_new else "Reused", message=message, data=out)


def _build(
    out: Path,
    record: type[Result],
    build: Callable[[], tuple[Iterable[Result], Counter[str]]],
    *,
    source: Path,
    facts: Mapping[str, Any] | None,
) -> None:
    start = time.monotonic()
    try:
        records, skips = build()
    except ShardError as error:
        raise ShardError(f"{out.parent.name}/{out.stem}: {error}") from error
    counts = {
        "before": cumulative_counts(source),
        "skips": dict(sorted(skips.items())),
        **(facts or {}),
    }
    seconds = time.monotonic() - start - counts.pop("waited", 0)
    shards.write(out, record, records, {**counts, "seconds": round(seconds, 3)})


def write_shards(
    stage: str,
    index: Path,
    record: type[Result],
    parts: Callable[[], Iterable[tuple[Sequence[Result], Any]]],
) -> list[Path]:
    """Write the shards of one source unless all exist, and return them in order; `parts` as for `indexed.write`."""

    def write() -> None:
        with tracked(f"{stage} {index.stem}", None, "rows") as advance:
            indexed.write(index, record, parts(), advance)

    once(lambda: indexed.is_complete(index), write, index)
    paths = indexed.paths(index)
    get_run_logger().info(
        "%s: %d shards of %s", index.stem, len(paths), index.parent.name.partition("-")[0]
    )
    return paths


def write_once(folder: Path, parts: Iterable[str], write: Callable[[], None]) -> None:
    """Write a data set unless all files of its manifest are there, and let `latest` point to it.

    If a file is missing or differs, all are written again. What a killed run left in the folder and in its `parts` is
    removed first.
    """
    problems: list[str] = []

    def is_done() -> bool:
        problems[:] = manifest.problems(folder)
        return not problems

    def write_again() -> None:
        if (folder / manifest.NAME).exists():  # a killed run left none
            warn(f"{folder.name} is written again: {', '.join(problems)}")
        for part in (folder, *(folder / name for name in parts)):
            sweep(part, "*")
        write()

    once(is_done, write_again, folder)
    folders.point_latest(folder)


def cumulative_counts(shard: Path) -> dict[str, dict[str, Any]]:
    """Return the counts of a shard and of the shards it was built from, by the stage name of their folders.

    For instance `{"alignments": {"rows": 40, "skips": {...}, ...}, "pairs": {"rows": 38, "skips": {...}}}`.
    """
    counts = atomic.read_manifest(shard)
    before = counts.pop("before", {})
    return {**before, shard.parent.name.rpartition("-")[0]: counts}


def _reasons(skips: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(skips.items())) or "none"
