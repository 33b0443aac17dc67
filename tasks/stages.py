"""Where a stage writes, when it need not, and what to do when one of its shards fails."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from prefect import get_run_logger
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, wait
from prefect.states import Completed
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from pairs import shards, tracebacks
from pairs.locks import locked
from pairs.errors import BuildError, SettingsError, ShardError
from pairs.settings import key
from pairs.site import Site
from tasks.progress import on_the_run_page

Result = TypeVar("Result")


for _name in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(tracebacks.at_debug_level)
    logging.getLogger(_name).addFilter(tracebacks.is_news)  # so that a shard is one line

STAGE: dict[str, Any] = {"cache_policy": NO_CACHE, "persist_result": False}
"""Options of every task: shards on disk are the only memory of what is done (docs/decisions/0002)."""


def place(shard: Path, stage: str, *settings: object) -> Path:
    """Return where a stage writes what it makes of `shard`: `<stage>-<8 hex>` beside the shard's folder.

    The eight digits change with the upstream folder's name and with every setting of this stage.
    """
    return shard.parent.parent / f"{stage}-{key(shard.parent.name, *settings)}" / shard.name


def once(
    out: Path, record: type[Result], make: Callable[[], tuple[Iterable[Result], Counter[str]]], *, upstream: Path
) -> State[Path]:
    """Build shard `out` unless it exists with its manifest. The returned state is named `Completed` or `Reused`.

    When another run is building it, wait and reuse its shard.

    `make` returns the records and the skips counted by reason. The manifest gets rows, sha256, seconds, skips and the
    path of the shard's input, from which the export adds up the funnel. A ShardError gets the shard's name.
    """
    manifest = shards.find(out)
    if manifest is None:
        with locked(out, get_run_logger()):
            manifest = shards.find(out)
            if manifest is None:
                if out.exists():
                    get_run_logger().info("%s/%s: its manifest is lost, built again", out.parent.name, out.stem)
                return _made(out, record, make, upstream)
    rows = manifest["rows"]
    get_run_logger().info("%s/%s: %d rows, built before", out.parent.name, out.stem, rows)
    return Completed(name="Reused", message=f"{rows} rows, built before", data=out)


def _made(
    out: Path, record: type[Result], make: Callable[[], tuple[Iterable[Result], Counter[str]]], upstream: Path
) -> State[Path]:
    begun = time.monotonic()
    try:
        with on_the_run_page():
            records, skips = make()
    except ShardError as error:
        raise ShardError(f"{out.parent.name}/{out.stem}: {error}") from error
    facts = {"upstream": f"{upstream.parent.name}/{upstream.name}", "skips": dict(sorted(skips.items()))}
    rows = shards.write(out, record, records, {**facts, "seconds": round(time.monotonic() - begun, 3)})
    seconds = time.monotonic() - begun
    told = f"{rows} rows in {seconds:.1f} s, skipped {_reasons(skips)}"
    get_run_logger().info("%s/%s: %s", out.parent.name, out.stem, told)
    return Completed(name="Completed", message=told, data=out)


def _reasons(skips: Counter[str]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(skips.items())) or "none"


def gather(*stages: Sequence[PrefectFuture[Any]]) -> list[Any]:
    """Wait for all futures of some stages and return the results of the last stage, in order.

    Raises ShardError naming the shards that failed, when all others are built; the error itself when every shard
    failed for the same reason, as with a setting that cannot work.
    """
    futures = list(chain(*stages))
    wait(futures)
    failed = [future.state for future in futures if not future.state.is_completed()]
    if failed:
        raise _summed_up([state for state in failed if state.name != "NotReady"] or failed, len(stages[-1]))
    return [future.result() for future in stages[-1]]


def joined(stage: Sequence[PrefectFuture[list[Result]]]) -> list[Result]:
    """Return the results of a stage whose tasks each return a list, as one list, in order."""
    return list(chain(*gather(stage)))


def runner() -> TaskRunner[Any]:
    """Return what works on the shards, as `Site.runner` says; threads by default: the heavy work is outside the GIL.

    Raises SettingsError when Dask is asked for and not installed.
    """
    site = Site()
    if site.runner == "dask":
        return _dask(site)
    if site.runner == "processes":
        return ProcessPoolTaskRunner(max_workers=site.workers)
    return ThreadPoolTaskRunner(max_workers=site.workers)


def _dask(site: Site) -> TaskRunner[Any]:
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise SettingsError(
            "BITEXT_PIVOT_RUNNER is dask, but prefect-dask is not installed here. "
            "Install it with `pip install -c constraints.txt '.[dask]'`, or set the runner to threads."
        ) from error
    if site.scheduler is not None:
        return DaskTaskRunner(address=site.scheduler)
    local = {"n_workers": site.workers, "threads_per_worker": 1, "dashboard_address": None}
    return DaskTaskRunner(cluster_kwargs=local)


def _summed_up(failed: Sequence[State[Any]], total: int) -> BuildError:
    causes = [state.result(raise_on_failure=False) for state in failed]
    reasons = dict.fromkeys(str(cause or state.message) for state, cause in zip(failed, causes, strict=True))
    if len(failed) == total and len(reasons) == 1 and isinstance(causes[0], BuildError):
        return causes[0]
    return ShardError(
        f"{len(failed)} of {total} shards were not built. Run again with the same settings to build these alone. "
        f"Reasons: {' | '.join(reasons)}"
    )
