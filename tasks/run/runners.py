"""Who runs the tasks of a flow: threads or processes of this machine, a Dask cluster, or jobs of Slurm."""

import shutil
import socket
from typing import Any
from urllib.parse import urlsplit

from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site

_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
"""Schemes of the addresses of Dask's schedulers."""
_PATIENCE = 10.0  # seconds for a connection to a scheduler


def runner() -> TaskRunner[Any]:
    """Return the task runner of `Site.runner`; threads by default, because the heavy work is outside the GIL.

    Raises SettingsError if Dask or Slurm is requested and not installed, or Dask's scheduler does not
    answer.
    """
    site = Site()
    if site.runner == "slurm":
        return _slurm(site)
    if site.runner == "dask":
        return _dask(site)
    if site.runner == "processes":
        return ProcessPoolTaskRunner(max_workers=site.workers)
    return ThreadPoolTaskRunner(max_workers=site.workers)


def host() -> str:
    """Return the address of this machine for those that run the tasks: only jobs of Slurm may be on others."""
    if Site().runner != "slurm":
        return "127.0.0.1"
    from distributed.utils import get_ip  # where they find Dask's scheduler, too

    return str(get_ip())


def _dask(site: Site) -> TaskRunner[Any]:
    optional_packages.require(
        "prefect_dask", "dask", "BITEXT_PIVOT_RUNNER dask", "set the runner to threads"
    )
    from prefect_dask.task_runners import DaskTaskRunner

    if site.scheduler is not None:
        _find_scheduler(site.scheduler)
        return DaskTaskRunner(address=site.scheduler)
    local = {"n_workers": site.workers, "threads_per_worker": 1, "dashboard_address": None}
    return DaskTaskRunner(cluster_kwargs=local)


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


def _slurm(site: Site) -> TaskRunner[Any]:
    """Return a runner that submits jobs, at most `workers` at once and none while no task waits."""
    options = _job(site)
    if shutil.which("sbatch") is None:
        raise SettingsError(
            "BITEXT_PIVOT_RUNNER slurm submits jobs with sbatch, which is not here. Run this on a machine of the "
            "cluster that submits jobs, such as its login node."
        )
    from prefect_dask.task_runners import DaskTaskRunner

    jobs = {"minimum_jobs": 0, "maximum_jobs": site.workers}
    return DaskTaskRunner(
        cluster_class="dask_jobqueue.SLURMCluster", cluster_kwargs=options, adapt_kwargs=jobs
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
