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
from bitext_pivot.tasks.run.artifacts import first_rows
from bitext_pivot.tasks.run.progress import StageProgress
from bitext_pivot.tasks.run.stages import build
from bitext_pivot.tasks.run.targets import Stage

_Result = TypeVar("_Result")


def wait_all(stage: str, futures: Sequence[PrefectFuture[Any]]) -> list[Any]:
    """Wait for the futures of one stage and return their results, in order. Raises as `depth_first` does.

    `stage` is the name of its bar on the terminal.
    """
    bar = StageProgress(stage, len(futures))
    for future in as_completed(list[PrefectFuture[Any]](futures)):
        future.wait()  # its state is known when its result has arrived
        bar.count(future.state, _rows(future))
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
    show = first_rows(recipe) if recipe else None
    bars = [StageProgress(name, len(shards)) for name in stages]
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
        for bar in bars[
            stage : stage + 1 if is_built else None
        ]:  # what failed is built in no later stage
            bar.count(future.state, _rows(future))
        if show and is_built and is_last:
            show(future.result())
    return _results([last[number] for number in range(len(shards))])


def _under_way(site: Site) -> int | None:
    """Return how many shards are built at the same time; None for all, where the cluster alone knows its workers."""
    return None if site.runner == "dask" and site.scheduler else site.workers


def _results(futures: Sequence[PrefectFuture[Any]]) -> list[Any]:
    if failed := [future.state for future in futures if not future.state.is_completed()]:
        raise _summary(failed, len(futures))
    return [future.result() for future in futures]


def _rows(future: PrefectFuture[Any]) -> int:
    """Return the rows of the shards that a task made: a path, a list of paths, or something else."""
    if not future.state.is_completed():
        return 0
    result = future.result()
    paths: list[Any] = result if isinstance(result, list) else [result]
    # an object store's are no pathlib.Path
    shards = [path for path in paths if hasattr(path, "with_name")]
    manifests = [atomic.find_sealed(atomic.manifest_path(shard)) or {} for shard in shards]
    return sum(manifest.get("rows", 0) for manifest in manifests)


def flatten(stage: str, futures: Sequence[PrefectFuture[State[list[_Result]]]]) -> list[_Result]:
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
