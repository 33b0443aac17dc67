"""The workers that run the tasks of a build: threads or processes of this machine, a Dask cluster, or jobs of Slurm."""

import logging
import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import cloudpickle

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.progress import LogLines
from bitext_pivot.core.site import Site
from bitext_pivot.core.untrusted import guard_logs

_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
"""Schemes of the addresses of Dask's schedulers."""
_PATIENCE = 10.0  # seconds for a connection to a scheduler


@contextmanager
def executor(site: Site) -> Iterator[Executor]:
    """Yield the workers of `Site.runner`; threads by default, because the heavy work is outside the GIL.

    On an error or an interrupt nothing waits for tasks that run: files are written atomically.

    Raises SettingsError if Dask or Slurm is requested and not installed, or Dask's scheduler does not
    answer.
    """
    if site.runner in ("dask", "slurm"):
        with _dask(site) as executor:
            yield executor
        return
    pool: Executor = ThreadPoolExecutor(site.workers)
    if site.runner == "processes":
        level = logging.getLogger().getEffectiveLevel()
        pool = _Processes(
            site.workers, get_context("spawn"), initializer=_begin_worker, initargs=(level,)
        )
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Processes(ProcessPoolExecutor):
    """Processes that take functions without a name, too, which recipes have."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Have a process call a function."""
        return super().submit(_call, cloudpickle.dumps(partial(fn, *args, **options)))


def _call(pickled: bytes) -> Any:
    return cloudpickle.loads(pickled)()


def _begin_worker(level: int) -> None:
    """Begin a process that works on shards: its log goes to stderr, and Ctrl-C is left to the command.

    It ends with the command, which may be killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_command, daemon=True).start()
    guard_logs()
    logging.basicConfig(level=level, handlers=[LogLines()])


def _end_with_command() -> None:
    if command := parent_process():
        command.join()
        os._exit(1)


def dask_cluster(site: Site) -> dict[str, Any]:
    """Return how DaskTaskRunner of prefect-dask finds the cluster of the runner `dask` or `slurm`.

    Raises SettingsError as `executor` does.
    """
    if site.runner == "slurm":
        options = _job(site)
        _find_sbatch()
        jobs = {"minimum_jobs": 0, "maximum_jobs": site.workers}
        return {
            "cluster_class": "dask_jobqueue.SLURMCluster", "cluster_kwargs": options, "adapt_kwargs": jobs,
        }  # fmt: skip
    if site.scheduler is not None:
        _find_scheduler(site.scheduler)
        return {"address": site.scheduler}
    return {
        "cluster_kwargs": {
            "n_workers": site.workers,
            "threads_per_worker": 1,
            "dashboard_address": None,
        }
    }


@contextmanager
def _dask(site: Site) -> Iterator[Executor]:
    """Yield the executor of a Dask cluster."""
    if site.runner == "dask":
        optional_packages.require(
            "distributed", "dask", "BITEXT_PIVOT_RUNNER dask", "set the runner to threads"
        )
    given = dask_cluster(site)
    from distributed import Client

    with ExitStack() as stack:
        cluster = given.get("address")
        if cluster is None:
            cluster = stack.enter_context(_cluster(site)(**given["cluster_kwargs"]))
        if "adapt_kwargs" in given:
            cluster.adapt(**given["adapt_kwargs"])
        client = stack.enter_context(Client(cluster, set_as_default=False))
        yield client.get_executor(pure=False)


def _cluster(site: Site) -> Any:
    if site.runner == "slurm":
        from dask_jobqueue import SLURMCluster

        return SLURMCluster
    from distributed import LocalCluster

    return LocalCluster


def _find_scheduler(address: str) -> None:
    """Raise SettingsError unless something answers at the address of a Dask scheduler."""
    try:
        parts = urlsplit(address)
        if parts.scheme not in _SCHEMES or parts.hostname is None or parts.port is None:
            raise ValueError(
                f"it does not begin with {' or '.join(_SCHEMES)}, or has no host or port"
            )
        socket.create_connection((parts.hostname, parts.port), timeout=_PATIENCE).close()
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"No Dask scheduler answers at {address!r}, which BITEXT_PIVOT_SCHEDULER names ({error}). "
            "Expected tcp://host:8786: start the scheduler, correct the address, or unset it for one "
            "on this machine."
        ) from error


def _find_sbatch() -> None:
    """Raise SettingsError on a machine that submits no jobs."""
    if shutil.which("sbatch") is None:
        raise SettingsError(
            "BITEXT_PIVOT_RUNNER slurm submits jobs with sbatch, which is not here. Run this on a machine of the "
            "cluster that submits jobs, such as its login node."
        )


def job_script(site: Site) -> str:
    """Return the script of one job that the runner `slurm` would submit; the scheduler's address in it is an example.

    Raises SettingsError if dask-jobqueue is not installed.
    """
    options = _job(site)
    from dask_jobqueue import SLURMCluster

    with SLURMCluster(**options) as cluster:
        return str(cluster.job_script())


def _job(site: Site) -> dict[str, Any]:
    """Return the arguments of SLURMCluster: a job is one process that works on one shard with all its cores."""
    optional_packages.require(
        "dask_jobqueue", "slurm", "BITEXT_PIVOT_RUNNER slurm", "set the runner to threads"
    )
    import dask

    # A shard outlives the jobs that were killed with it: each wall time, preemption or lost node counts as a failure.
    # Dask reads both when its module `distributed` is imported.
    dask.config.set(
        {"distributed.scheduler.allowed-failures": 20, "logging": {"distributed": "warning"}}
    )
    return {
        "queue": site.slurm_partition, "account": site.slurm_account, "walltime": site.slurm_time,
        "cores": 1, "processes": 1, "job_cpu": site.slurm_cores, "memory": site.slurm_memory,
        "job_extra_directives": [f"--gpus={site.slurm_gpus}"] if site.slurm_gpus else [],
        "job_script_prologue": [*site.slurm_setup, f"export BITEXT_PIVOT_THREADS={site.slurm_cores}"],
        "log_directory": str(site.home / "slurm"), "scheduler_options": {"dashboard_address": "127.0.0.1:0"},
    }  # fmt: skip
