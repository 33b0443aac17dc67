"""Tasks over shards: in which order they run, how they are counted, and how failed shards are reported."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bitext_pivot.core.errors import BuildError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.tasks.run import work
from bitext_pivot.tasks.run.artifacts import first_rows
from bitext_pivot.tasks.run.progress import StageProgress
from bitext_pivot.tasks.run.stages import build
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.tasks.run.work import Built


def wait_all(stage: str, futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for the tasks of one stage and return what they made, in order. Raises as `depth_first` does.

    `stage` is the name of its bar on the terminal.
    """
    bar = StageProgress(stage, len(futures))
    for future in as_completed(futures):
        _count(bar, future)
    return _made(futures)


def depth_first(
    shards: Sequence[Path],
    site: Site,
    recipe: Recipe[Any] | None,
    stages: Mapping[str, Callable[[], Stage]],
) -> list[Path]:
    """Take each shard through all stages before another begins; return the shards of the last stage, in order.

    As many shards are under way as there are workers: all stages have rows early, and the cores parse and score one
    shard while a GPU translates the next. The first rows that the recipe keeps of the last stage are shown.

    Raises:
        ShardError: some shards failed, named in the message; all others are built. If every shard failed for the same
            reason, as with a setting that cannot work, that error itself is raised.
    """
    run = work.current()
    show = first_rows(recipe) if recipe and run.has_page else None
    bars = [StageProgress(name, len(shards)) for name in stages]
    names, waiting, last = list(stages), iter(enumerate(shards)), dict[int, Future[Any]]()
    ended = SimpleQueue[tuple[int, int, Future[Any]]]()

    def submit(number: int, shard: Path, stage: int = 0) -> None:
        name = names[stage]
        future = run.submit(f"{name} {shard.stem}", build, shard, stages[name])
        future.add_done_callback(lambda future: ended.put((number, stage, future)))

    for number, shard in islice(waiting, _under_way(site)):
        submit(number, shard)
    while len(last) < len(shards):
        number, stage, future = ended.get()
        is_built, is_last = future.exception() is None, stage + 1 == len(names)
        if is_built and not is_last:
            submit(number, future.result().made, stage + 1)
        else:
            last[number] = future
            for another in islice(waiting, 1):
                submit(*another)
        for bar in bars[
            stage : stage + 1 if is_built else None
        ]:  # what failed is built in no later stage
            _count(bar, future)
        if show and is_built and is_last:
            show(future.result().made)
    return _made([last[number] for number in range(len(shards))])


def _under_way(site: Site) -> int | None:
    """Return how many shards are built at the same time; None for all, where the cluster alone knows its workers."""
    return None if site.runner == "dask" and site.scheduler else site.workers


def _count(bar: StageProgress, future: Future[Any]) -> None:
    """Count a task that ended, and the rows of the shards that it made or found."""
    if future.exception() is not None:
        bar.count("failed", 0)
        return
    result = future.result()
    if isinstance(result, Built):
        bar.count("built" if result.is_new else "reused", _rows(result.made))
    else:
        bar.count("built", 0)


def _made(futures: Sequence[Future[Any]]) -> list[Any]:
    """Return what tasks made or found, in order. Raises as `depth_first` does."""
    errors = [error for future in futures if (error := future.exception())]
    if errors:
        raise _summary(errors, len(futures))
    results = [future.result() for future in futures]
    return [result.made if isinstance(result, Built) else result for result in results]


def _rows(made: Path | list[Path]) -> int:
    shards = made if isinstance(made, list) else [made]
    manifests = [atomic.find_sealed(atomic.manifest_path(shard)) or {} for shard in shards]
    return sum(manifest.get("rows", 0) for manifest in manifests)


def flatten(stage: str, futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for a stage whose tasks make lists, and return their items as one list, in order."""
    return list(chain(*wait_all(stage, futures)))


def _summary(errors: Sequence[BaseException], total: int) -> BaseException:
    reasons = dict.fromkeys(map(str, errors))
    if len(errors) == total and len(reasons) == 1 and isinstance(errors[0], BuildError):
        return errors[0]
    return ShardError(
        f"{len(errors)} of {total} shards were not built. Run again with the same settings to build these alone. "
        f"Reasons: {' | '.join(reasons)}"
    )
