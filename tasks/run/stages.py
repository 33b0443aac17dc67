"""Build the shards of stages, and reuse those that exist."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import current_log, inform, tracked, warn
from bitext_pivot.core.storage import manifest, shards
from bitext_pivot.core.storage.locks import locked, sweep
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.current_run import StageResult
from bitext_pivot.tasks.run.targets import KEY, Stage, StageFacts, Target

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


def build(shard: Path, make: Callable[[], Stage], *, is_timed: bool = False) -> StageResult[Path]:
    """Build the shard of a stage from a shard of the previous stage, as `build_once` does.

    The worker creates the stage, so that the key contains the signatures of the worker's models. With
    `is_timed` the manifest contains the seconds that the records took. Without them, equal rows give equal bytes.
    """
    stage, facts = make(), StageFacts()
    run = stage.run
    if run is None:
        raise TypeError(f"{stage.name} makes no shard of a shard")

    def make_records() -> tuple[Iterable[Any], Counter[str]]:
        begun = time.monotonic()
        rows = shards.read(shard, stage.reads, without=stage.without)
        records, skips = run(rows, shard.stem, facts)
        if is_timed:
            records = [*records]
            facts["seconds"] = round(time.monotonic() - begun, 3)
        return records, skips

    return build_once(stage.target(shard), stage.makes, make_records, source=shard, facts=facts)


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

    `build` returns the records and the skips by reason. The manifest contains the skips, the parts of the key, the
    counts of all earlier stages as `before`, so that the export reads one manifest per shard, and `facts`, to which
    `build` may add.

    Raises:
        ShardError: the shard cannot be built; the message begins with its name.
    """
    out, begun = target.path, time.monotonic()

    def build_shard() -> None:
        name = f"{out.parent.name}/{out.stem}"
        try:
            records, skips = build()
            counts = {"before": cumulative_counts(source), "skips": dict(sorted(skips.items()))}
            shards.write(out, record, records, {**counts, **(facts or {}), **target.facts()})
        except ShardError as error:
            raise ShardError(f"{name}: {error}") from error
        except Exception as error:
            error.add_note(name)  # `futures` names the shards that failed
            raise

    is_new = once(lambda: shards.find(out), build_shard, out)
    counts = shards.read_manifest(out)
    message = f"{counts['rows']} rows, built before"
    if is_new:
        target.log_change()
        seconds = time.monotonic() - begun
        message = f"{counts['rows']} rows in {seconds:.1f} s, skipped {_reasons(counts['skips'])}"
    return StageResult(out, is_new, message, counts["rows"])


def write_shards(
    stage: str,
    target: Target,
    record: type[_Result],
    parts: Callable[[], Iterable[tuple[Sequence[_Result], Mapping[str, Any]]]],
) -> StageResult[list[Path]]:
    """Write the shards of one source that do not exist, and return all in order.

    `target` is that of the first shard. `parts` returns the records of each shard, and facts for its manifest; those of
    the last one have `is_last`. They are read from the beginning of the source, also if an earlier run was stopped:
    reading is fast compared with the later stages.
    """
    first = target.path
    source = first.name.removesuffix(shards.FIRST)
    facts = target.facts()

    def write_missing() -> None:
        sweep(first.parent, f"{source}-?????.parquet")
        with tracked(f"{stage} {source}", None, "rows") as advance:
            for path, (records, counts) in zip(shards.numbered(first), parts(), strict=False):
                if shards.find(path) is None:
                    shards.write(path, record, records, {**counts, **facts})
                advance(len(records))
        if first.exists():  # not of a source without documents
            target.log_change()

    is_new = once(lambda: shards.find_all(first), write_missing, first)
    paths = shards.find_all(first) or []
    kind = first.parent.name.partition("-")[0]
    inform(f"{source}: shards of {kind}: {len(paths)}")
    rows = sum(shards.read_manifest(path)["rows"] for path in paths)
    return StageResult(paths, is_new, f"shards: {len(paths)}", rows)


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
    counts = dict(shards.read_manifest(shard))
    counts.pop(KEY, None)
    before = counts.pop("before", {})
    return {**before, shard.parent.name.rpartition("-")[0]: counts}


def _reasons(skips: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(skips.items())) or "none"
