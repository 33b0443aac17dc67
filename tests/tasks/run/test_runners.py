"""Who runs the tasks, by the environment; what is missing for it is said with what to do."""

import re
import socket

import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site


@pytest.fixture(autouse=True)
def sbatch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slurm's command is here, wherever the test runs."""
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("threads", "ThreadPool"), ("dask", "Dask"), ("slurm", "Dask")],
)
def test_the_environment_selects_the_task_runner_of_prefect(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.flows.prefect_run import task_runner

    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", name)
    with socket.create_server(("127.0.0.1", 0)) as scheduler:
        port = scheduler.getsockname()[1]
        monkeypatch.setenv("BITEXT_PIVOT_SCHEDULER", f"tcp://127.0.0.1:{port}")
        assert type(task_runner()).__name__ == f"{kind}TaskRunner"


def test_an_executor_runs_tasks_without_prefect(monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.core.progress import current_log
    from bitext_pivot.tasks.run.current_run import current_run, local_run

    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", "threads")
    with local_run(Site()):
        logs = [current_run().submit_task(f"task {number}", current_log) for number in range(3)]
        assert [future.result().extra for future in logs] == [
            {"task_run_name": f"task {number}"} for number in range(3)
        ]
        with pytest.raises(ValueError, match="invalid literal"):
            current_run().submit_task("fail", int, "x").result()


@pytest.mark.parametrize("address", [
    "tcp://127.0.0.1:1", "http://127.0.0.1:8786", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "tcp://:1",
    "tcp://nowhere.invalid:8786", "tcp://127.0.0.1:99999", "tcp://[::1:1", "nonsense", "",
])  # fmt: skip
def test_a_scheduler_that_is_not_there_is_refused_by_its_variable(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.run.runners import executor

    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", "dask")
    monkeypatch.setenv("BITEXT_PIVOT_SCHEDULER", address)
    with (
        pytest.raises(SettingsError, match="BITEXT_PIVOT_SCHEDULER names"),
        executor(Site()),
    ):
        pass


@pytest.mark.parametrize("name", ["dask", "slurm"])
def test_a_runner_without_its_package_is_refused_with_a_command(
    name: str, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    from bitext_pivot.tasks.run.runners import executor

    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", name)
    monkeypatch.setattr("bitext_pivot.core.optional_packages.find_spec", lambda _: None)
    with golden.refused(SettingsError), executor(Site()):
        pass


def test_slurm_is_refused_where_no_jobs_can_be_submitted(monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.tasks.run.runners import executor

    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", "slurm")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with (
        pytest.raises(SettingsError, match="sbatch, which was not found on this.*login node"),
        executor(Site()),
    ):
        pass


@pytest.mark.system
def test_the_script_of_a_job_has_what_the_environment_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bitext_pivot.tasks.run.runners import job_script

    values = {
        "partition": "gpu",
        "account": "p1",
        "time": "02:00:00",
        "cores": "8",
        "memory": "24GiB",
        "gpus": "a100:1",
    }
    for name, value in values.items():
        monkeypatch.setenv(f"BITEXT_PIVOT_SLURM_{name.upper()}", value)
    monkeypatch.setenv("BITEXT_PIVOT_SLURM_SETUP", '["module load cuda"]')
    lines = job_script(Site()).splitlines()
    wanted = ["-p gpu", "-A p1", "-t 02:00:00", "--cpus-per-task=8", "--mem=24G", "--gpus=a100:1"]
    assert {f"#SBATCH {line}" for line in wanted} <= {*lines}
    work = next(number for number, line in enumerate(lines) if "dask_worker" in line)
    assert lines[work - 2 : work] == ["module load cuda", "export BITEXT_PIVOT_THREADS=8"]
    assert re.search(r"--nthreads 1 ", lines[work])
