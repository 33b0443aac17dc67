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
    """Yield an executor that runs tasks on the workers that `site.runner` names.

    The default is threads, because heavy work releases the GIL. After an error or an interrupt, the executor does not
    wait for running tasks. No file is damaged, because files are written atomically.

    Raises SettingsError if Dask or Slurm is requested but not installed, or if Dask's scheduler does not answer.
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
        # With pure=True, a cluster that outlives the build would return the cached result of an earlier equal call.
        yield client.get_executor(pure=False)


def dask_cluster(site: Site) -> dict[str, Any]:
    """Return the arguments for DaskTaskRunner of prefect-dask.

    It starts a cluster or connects to one. Raises the same errors as `executor`.
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
    """Raise SettingsError if nothing listens at the address of a Dask scheduler."""
    try:
        parts = urlsplit(address)
        if parts.scheme not in _SCHEMES or parts.hostname is None or parts.port is None:
            raise ValueError(
                f"it does not begin with {', '.join(_SCHEMES)}, or has no host or port"
            )
        socket.create_connection((parts.hostname, parts.port), timeout=_PATIENCE).close()
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"No Dask scheduler answers at {address!r}, which BITEXT_PIVOT_SCHEDULER names ({error}). "
            "Expected an address such as tcp://host:8786. Start the scheduler, correct the address, or unset it to "
            "use a cluster on this machine."
        ) from error


def _find_sbatch() -> None:
    """Raise SettingsError if this machine cannot submit jobs to Slurm."""
    if shutil.which("sbatch") is None:
        raise SettingsError(
            "BITEXT_PIVOT_RUNNER slurm submits jobs with sbatch, which was not found on this machine. Run the command "
            "on a machine of the cluster that submits jobs, such as its login node."
        )


def job_script(site: Site) -> str:
    """Return the script of a Slurm job that runs a worker.

    The scheduler's address in it is an example.

    Raises SettingsError if dask-jobqueue is not installed.
    """
    options = _job(site)
    from dask_jobqueue import SLURMCluster

    with SLURMCluster(**options) as cluster:
        return str(cluster.job_script())


def _job(site: Site) -> dict[str, Any]:
    """Return the arguments of SLURMCluster.

    Each job is a process that uses all its cores for one shard.
    """
    optional_packages.require(
        "dask_jobqueue", "slurm", "BITEXT_PIVOT_RUNNER slurm", "set the runner to threads"
    )
    import dask

    # Dask gives up a shard after three lost jobs by default, and a job is lost whenever it reaches its time limit, is
    # preempted, or its node fails. Both options must be set before `distributed` is imported.
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
