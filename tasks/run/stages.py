"""Build the shards of all stages, and reuse existing shards."""

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


def run_once(is_done: Callable[[], object], write: Callable[[], None], path: Path) -> bool:
    """Call `write` unless `is_done` returns True. Return True if `write` was called.

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


def build_shard(
    shard: Path, make: Callable[[], Stage], *, is_timed: bool = False
) -> StageResult[Path]:
    """Build a shard from a shard of the previous stage, unless it exists (see `build_once`).

    `make` creates the stage. The worker calls this function, so that the shard's folder name depends on the worker's
    models. With `is_timed`, the manifest contains the computing time in seconds. By default it does not, so that equal
    rows give equal bytes.
    """
    stage, facts = make(), StageFacts()
    run = stage.run
    if run is None:
        raise TypeError(f"the stage {stage.name} does not turn a shard into another")

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
    """Build the shard `target` from the shard `source`, unless `target` exists.

    A damaged shard is built again (`shards.find`). If another run is building the shard, wait and reuse its result.

    `build` returns the records and the number of skips by reason. The manifest contains the skips, the settings and
    versions in `target.parts`, `facts` (which `build` may extend), and as `before` the counts of all earlier stages, so
    that the export has to read only one manifest per shard.

    Raises:
        ShardError: the shard cannot be built; the message begins with the name of the shard.
    """
    out, begun = target.path, time.monotonic()

    def write_shard() -> None:
        name = f"{out.parent.name}/{out.stem}"
        try:
            records, skips = build()
            counts = {"before": cumulative_counts(source), "skips": dict(sorted(skips.items()))}
            shards.write(out, record, records, {**counts, **(facts or {}), **target.facts()})
        except ShardError as error:
            raise ShardError(f"{name}: {error}") from error
        except Exception as error:
            error.add_note(name)  # `futures` reads the note to name the shard
            raise

    is_new = run_once(lambda: shards.find(out), write_shard, out)
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
    """Write the missing shards of a source, such as a corpus, and return the paths of all.

    `target` is the path of the first shard. `parts` yields, for each shard, its records and the facts for its manifest;
    the facts of the last shard contain `is_last`. The source is always read from the beginning, even if an earlier run
    wrote some shards, because reading is fast compared with the later stages.
    """
    first = target.path
    source = first.stem.rpartition("-")[0]
    facts = target.facts()

    def write_missing() -> None:
        sweep(first.parent, f"{source}-?????.parquet")
        with tracked(f"{stage} {source}", None, "rows") as advance:
            for path, (records, counts) in zip(shards.numbered(first), parts(), strict=False):
                if shards.find(path) is None:
                    shards.write(path, record, records, {**counts, **facts})
                advance(len(records))
        if first.exists():  # a source without documents has no shard
            target.log_change()

    is_new = run_once(lambda: shards.find_all(first), write_missing, first)
    paths = shards.find_all(first) or []
    kind = first.parent.name.partition("-")[0]
    inform(f"{source}: shards of {kind}: {len(paths)}")
    rows = sum(shards.read_manifest(path)["rows"] for path in paths)
    return StageResult(paths, is_new, f"shards: {len(paths)}", rows)


def write_once(folder: Path, parts: Iterable[str], write: Callable[[], None]) -> None:
    """Write a data set unless it is complete, and point `latest` to it if it has rows.

    The data set is written again if a file is missing or differs from the manifest, or if the folder contains another
    data set. Before that, the temporary files of a killed run are removed from the folder and its subfolders `parts`.
    """
    problems: list[str] = []

    def is_done() -> bool:
        problems[:] = manifest.problems(folder) or manifest.misplaced(folder)
        return not problems

    def write_again() -> None:
        if (folder / manifest.NAME).exists():  # a killed run leaves no manifest
            warn(f"{folder.name} is written again: {', '.join(problems)}")
        for part in (folder, *(folder / name for name in parts)):
            sweep(part, "*")
        write()

    run_once(is_done, write_again, folder)
    finished.point_latest(folder)


def cumulative_counts(shard: Path) -> dict[str, dict[str, Any]]:
    """Return the counts of a shard and of the shards it was built from, by stage.

    Example: `{"alignments": {"rows": 40, "skips": {...}, ...}, "pairs": {"rows": 38, "skips": {...}}}`.
    """
    counts = dict(shards.read_manifest(shard))
    counts.pop(KEY, None)
    before = counts.pop("before", {})
    return {**before, shard.parent.name.rpartition("-")[0]: counts}


def _reasons(skips: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(skips.items())) or "none"
