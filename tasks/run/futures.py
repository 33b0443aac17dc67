"""Tasks over shards: in which order they run, how they are counted, and how failed shards are reported."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, as_completed

from bitext_pivot.core.errors import BuildError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.tasks.run import progress
from bitext_pivot.tasks.run.artifacts import first_rows
from bitext_pivot.tasks.run.stages import build
from bitext_pivot.tasks.run.targets import Stage

Result = TypeVar("Result")


def wait_all(stage: str, futures: Sequence[PrefectFuture[Any]]) -> list[Any]:
    """Wait for the futures of one stage and return their results, in order. Raises as `depth_first` does.

    `stage` is the name of its row in the artifact `stages` on the run page, and of its bar on the
    terminal.
    """
    shown = progress.of_run()
    shown.begin(**{stage: len(futures)})
    for future in as_completed(list[PrefectFuture[Any]](futures)):
        future.wait()  # its state is known when its result has arrived
        _count(stage, future)
    shown.show()
    return _results(futures)


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
    shown, show = progress.of_run(), first_rows(recipe) if recipe else None
    shown.begin(**dict.fromkeys(stages, len(shards)))
    names, waiting, last = list(stages), iter(enumerate(shards)), dict[int, PrefectFuture[Any]]()
    tasks = {
        name: build.with_options(name=name, task_run_name=f"{name} {{shard.stem}}")
        for name in names
    }
    ended = SimpleQueue[tuple[int, int, PrefectFuture[Any]]]()

    def submit(number: int, given: Any, stage: int = 0) -> None:
        name = names[stage]
        future: PrefectFuture[Any] = tasks[name].submit(given, stages[name])
        future.add_done_callback(lambda future: ended.put((number, stage, future)))

    for number, shard in islice(waiting, _under_way(site)):
        submit(number, shard)
    while len(last) < len(shards):
        number, stage, future = ended.get()
        future.wait()  # its state is known when its result has arrived
        is_built, is_last = future.state.is_completed(), stage + 1 == len(names)
        if is_built and not is_last:
            submit(number, future, stage + 1)
        else:
            last[number] = future
            for another in islice(waiting, 1):
                submit(*another)
        for name in names[
            stage : stage + 1 if is_built else None
        ]:  # what failed is built in no later stage
            _count(name, future)
        if show and is_built and is_last:
            show(future.result())
    shown.show()
    return _results([last[number] for number in range(len(shards))])


def _under_way(site: Site) -> int | None:
    """Return how many shards are built at the same time; None for all, where the cluster alone knows its workers."""
    return None if site.runner == "dask" and site.scheduler else site.workers


def _results(futures: Sequence[PrefectFuture[Any]]) -> list[Any]:
    if failed := [future.state for future in futures if not future.state.is_completed()]:
        raise _summary(failed, len(futures))
    return [future.result() for future in futures]


def _count(stage: str, future: PrefectFuture[Any]) -> None:
    """Count a task that ended, and its shards."""
    result = future.result() if future.state.is_completed() else None
    progress.of_run().count(stage, future.state, *_rows(result))


def _rows(result: Any) -> tuple[int, float | None]:
    """Return the rows of the shards in the result of a task, and the seconds it took if it is one shard."""
    manifests = [atomic.find_sealed(atomic.manifest_path(path)) or {} for path in _shards(result)]
    rows = sum(manifest.get("rows", 0) for manifest in manifests)
    if manifests and not isinstance(result, list):
        return rows, manifests[0].get("seconds")
    return rows, None


def _shards(result: Any) -> list[Path]:
    """Return the shards in the result of a task: a path, a list of paths, or something else."""
    paths: list[Any] = result if isinstance(result, list) else [result]
    # an object store's are no pathlib.Path
    return [path for path in paths if hasattr(path, "with_name")]


def flatten(stage: str, futures: Sequence[PrefectFuture[State[list[Result]]]]) -> list[Result]:
    """Wait for a stage whose tasks return lists, and return their items as one list, in order."""
    return list(chain(*wait_all(stage, futures)))


def _summary(failed: Sequence[State[Any]], total: int) -> BuildError:
    causes = [state.result(raise_on_failure=False) for state in failed]
    reasons = dict.fromkeys(
        str(cause or state.message) for state, cause in zip(failed, causes, strict=True)
    )
    if len(failed) == total and len(reasons) == 1 and isinstance(causes[0], BuildError):
        return causes[0]
    return ShardError(
        f"{len(failed)} of {total} shards were not built. Run again with the same settings to build these alone. "
        f"Reasons: {' | '.join(reasons)}"
    )
