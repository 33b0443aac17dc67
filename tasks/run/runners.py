"""The workers that run the tasks of a build: threads of this process, a Dask cluster, or jobs of Slurm."""

import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pkgutil import resolve_name
from typing import Any
from urllib.parse import urlsplit

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site

_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
"""Schemes of the addresses of Dask's schedulers."""
_PATIENCE = 10.0  # seconds to connect to a scheduler


@contextmanager
def executor(site: Site) -> Iterator[Executor]:
    """Yield the workers of `Site.runner`; threads by default, because the heavy work runs outside the GIL.

    On an error or an interrupt nothing waits for running tasks, because files are written atomically.

    Raises SettingsError if Dask or Slurm is requested and not installed, or if Dask's scheduler does not answer.
    """
    if site.runner == "threads":
        pool = ThreadPoolExecutor(site.workers)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return
    options = dask_cluster(site)
    from distributed import Client

    with ExitStack() as stack:
        cluster = options.get("address")
        if cluster is None:
            cluster_class = resolve_name(options["cluster_class"])
            cluster = stack.enter_context(cluster_class(**options["cluster_kwargs"]))
        if jobs := options.get("adapt_kwargs"):
            cluster.adapt(**jobs)
        client = stack.enter_context(Client(cluster, set_as_default=False))
        # A cluster that outlives the build would answer an equal call of a pure function from its memory.
        yield client.get_executor(pure=False)


def dask_cluster(site: Site) -> dict[str, Any]:
    """Return the arguments with which DaskTaskRunner of prefect-dask makes or finds the cluster.

    Raises SettingsError as `executor` does.
    """
    if site.runner == "slurm":
        options = _job(site)
        _find_sbatch()
        jobs = {"minimum_jobs": 0, "maximum_jobs": site.workers}
        return {
            "cluster_class": "dask_jobqueue.SLURMCluster", "cluster_kwargs": options, "adapt_kwargs": jobs,
        }  # fmt: skip
    optional_packages.require(
        "distributed", "dask", "BITEXT_PIVOT_RUNNER dask", "set the runner to threads"
    )
    if site.scheduler is not None:
        _find_scheduler(site.scheduler)
        return {"address": site.scheduler}
    workers = {"n_workers": site.workers, "threads_per_worker": 1, "dashboard_address": None}
    return {"cluster_class": "distributed.LocalCluster", "cluster_kwargs": workers}


def _find_scheduler(address: str) -> None:
    """Raise SettingsError unless a program listens at the address of a Dask scheduler."""
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
    """Raise SettingsError on a machine that cannot submit jobs to Slurm."""
    if shutil.which("sbatch") is None:
        raise SettingsError(
            "BITEXT_PIVOT_RUNNER slurm submits jobs with sbatch, which was not found on this machine. Run the command "
            "on a machine of the cluster that submits jobs, such as its login node."
        )


def job_script(site: Site) -> str:
    """Return the script of one job that the runner `slurm` would submit, with an example of a scheduler's address.

    Raises SettingsError if dask-jobqueue is not installed.
    """
    options = _job(site)
    from dask_jobqueue import SLURMCluster

    with SLURMCluster(**options) as cluster:
        return str(cluster.job_script())


def _job(site: Site) -> dict[str, Any]:
    """Return the arguments of SLURMCluster. A job is one process, which works on one shard with all its cores."""
    optional_packages.require(
        "dask_jobqueue", "slurm", "BITEXT_PIVOT_RUNNER slurm", "set the runner to threads"
    )
    import dask

    # By default a shard fails after three lost jobs, and each wall time, preemption and lost node counts as one.
    # Dask reads both options when its module `distributed` is imported.
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
