"""Build the shards of stages, and reuse those that exist."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import current_log, inform, tracked, warn
from bitext_pivot.core.storage import atomic, indexed, manifest, shards
from bitext_pivot.core.storage.locks import locked, sweep
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.current_run import StageResult
from bitext_pivot.tasks.run.targets import Stage, StageFacts, Target

_Result = TypeVar("_Result")


def once(is_done: Callable[[], object], write: Callable[[], None], path: Path) -> bool:
    """Call `write` unless `is_done` returns True; return True if `write` was called.

    If another thread, process or machine is writing the file or folder `path`, wait until it has finished and check
    again. A long wait is logged.
    """
    if is_done():
        return False
    with locked(path, current_log()):
        if is_done():
            return False
        write()
    return True


def build(shard: Path, make: Callable[[], Stage]) -> StageResult[Path]:
    """Build the shard of a stage from a shard of the previous stage, as `build_once` does.

    The worker creates the stage, so that the key contains the signatures of the worker's models.
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
) -> StageResult[Path]:
    """Build a shard from shard `source` unless it exists.

    A damaged shard is built again (`shards.find`). If another run is building the shard, wait and reuse its result.

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
    return StageResult(out, is_new, message)


def _record(target: Target, *, is_new: bool) -> None:
    """Write the key of a target beside it; log once a folder why it was built, if others of its stage are there."""
    if target.record() and is_new and (part := target.other()):
        inform(f"{target.path.parent.name}: built again: other {part}")


def _build(
    out: Path,
    record: type[_Result],
    build: Callable[[], tuple[Iterable[_Result], Counter[str]]],
    *,
    source: Path,
    facts: Mapping[str, Any] | None,
) -> None:
    begun, name = time.monotonic(), f"{out.parent.name}/{out.stem}"
    try:
        records, skips = build()
        counts = {
            "before": cumulative_counts(source),
            "skips": dict(sorted(skips.items())),
            **(facts or {}),
        }
        shards.write(out, record, records, counts, begun=begun)
    except ShardError as error:
        raise ShardError(f"{name}: {error}") from error
    except Exception as error:
        error.add_note(name)  # `futures` names the shards that failed
        raise


def write_shards(
    stage: str,
    target: Target,
    record: type[_Result],
    parts: Callable[[], Iterable[tuple[Sequence[_Result], Any]]],
) -> StageResult[list[Path]]:
    """Write the shards of one source unless all exist, and return them in order; `parts` as for `indexed.write`.

    `target` is that of their index.
    """
    index = target.path

    def write() -> None:
        with tracked(f"{stage} {index.stem}", None, "rows") as advance:
            indexed.write(index, record, parts(), advance)

    is_new = once(lambda: indexed.is_complete(index), write, index)
    _record(target, is_new=is_new)
    paths = indexed.paths(index)
    kind = index.parent.name.partition("-")[0]
    inform(f"{index.stem}: shards of {kind}: {len(paths)}")
    return StageResult(paths, is_new, f"shards: {len(paths)}")


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
