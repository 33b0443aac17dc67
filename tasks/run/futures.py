"""Run the stages of a build on all shards, show the progress, and report failed shards."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bitext_pivot.core.errors import BuildError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.tasks.run.artifacts import first_rows
from bitext_pivot.tasks.run.current_run import StageResult, current_run
from bitext_pivot.tasks.run.stage_progress import StageProgress
from bitext_pivot.tasks.run.stages import build_shard
from bitext_pivot.tasks.run.targets import Stage


def wait_all(stage: str, futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for the tasks of one stage and return their outputs, in order.

    The progress bar on the terminal is named `stage`. Raises the same errors as `depth_first`.
    """
    bar = StageProgress(stage, len(futures))
    for future in as_completed(futures):
        _count(bar, future)
    return _outputs(futures)


def depth_first(
    shards: Sequence[Path],
    site: Site,
    recipe: Recipe[Any] | None,
    stages: Mapping[str, Callable[[], Stage]],
) -> list[Path]:
    """Pass each shard through all stages, and return the shards of the last stage, in order.

    Each worker takes one shard through all stages before it begins with another. The last stage therefore has rows
    early, and the CPU can parse and score one shard while the GPU translates the next. If the run has a page in
    Prefect's UI, the page shows the first accepted rows.

    Raises:
        ShardError: the message names the shards that failed; all others are built. If every shard failed for the
            same reason, such as a setting that cannot work, the original error is raised instead.
    """
    run = current_run()
    show = first_rows(recipe) if recipe and run.has_page else None
    bars = [StageProgress(name, len(shards)) for name in stages]
    names, waiting, finished = list(stages), iter(enumerate(shards)), dict[int, Future[Any]]()
    ended = SimpleQueue[tuple[int, int, Future[Any]]]()

    def submit(index: int, shard: Path, stage: int = 0) -> None:
        name = names[stage]
        future = run.submit_task(f"{name} {shard.stem}", build_shard, shard, stages[name])
        future.add_done_callback(lambda future: ended.put((index, stage, future)))

    for index, shard in islice(waiting, _parallel_shards(site)):
        submit(index, shard)
    while len(finished) < len(shards):
        index, stage, future = ended.get()
        is_built, is_last = future.exception() is None, stage + 1 == len(names)
        if is_built and not is_last:
            submit(index, future.result().output, stage + 1)
        else:
            finished[index] = future
            for next_shard in islice(waiting, 1):
                submit(*next_shard)
        # A failed shard counts as failed in all later stages, too.
        for bar in bars[stage : stage + 1 if is_built else None]:
            _count(bar, future)
        if show and is_built and is_last:
            show(future.result().output)
    return _outputs([finished[index] for index in range(len(shards))])


def _parallel_shards(site: Site) -> int | None:
    """Return how many shards are processed at the same time.

    Returns None for all shards: with an external Dask scheduler, the number of workers is unknown.
    """
    return None if site.runner == "dask" and site.scheduler else site.workers


def _count(bar: StageProgress, future: Future[Any]) -> None:
    """Count a task that has ended, and its rows, on the progress bar."""
    if future.exception() is not None:
        bar.count("failed", 0)
        return
    result = future.result()
    if isinstance(result, StageResult):
        bar.count("built" if result.is_new else "reused", result.rows)
    else:
        bar.count("built", 0)


def _outputs(futures: Sequence[Future[Any]]) -> list[Any]:
    """Return the outputs of finished tasks, in order. Raises the same errors as `depth_first`."""
    errors = [error for future in futures if (error := future.exception())]
    if errors:
        raise _summary(errors, len(futures))
    results = [future.result() for future in futures]
    return [result.output if isinstance(result, StageResult) else result for result in results]


def flatten(stage: str, futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for tasks that return lists, and return the items of all lists, in order."""
    return list(chain(*wait_all(stage, futures)))


def _summary(errors: Sequence[BaseException], total: int) -> BaseException:
    reasons = dict.fromkeys(map(_reason, errors))
    if len(errors) == total and len(reasons) == 1 and isinstance(errors[0], BuildError):
        return errors[0]
    return ShardError(
        f"{len(errors)} of {total} shards were not built. Run again with the same settings to build these alone. "
        f"Reasons: {' | '.join(reasons)}"
    )


def _reason(error: BaseException) -> str:
    """Return the message of an error.

    For an unexpected error, the shard and the type of the error come first.
    """
    if isinstance(error, BuildError):
        return str(error)
    return ": ".join([*getattr(error, "__notes__", []), f"{type(error).__name__}: {error}"])
