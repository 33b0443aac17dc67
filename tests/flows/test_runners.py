"""The environment chooses what works on the shards."""

import sys
from typing import Any

import pytest

from pairs.errors import SettingsError
from tasks.stages import runner


@pytest.mark.parametrize(("name", "kind"), [("threads", "ThreadPool"), ("processes", "ProcessPool"), ("dask", "Dask")])
def test_the_environment_chooses_the_task_runner(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", name)
    monkeypatch.setenv("BITEXT_PIVOT_SCHEDULER", "tcp://127.0.0.1:1")
    chosen: Any = runner()
    assert type(chosen).__name__ == f"{kind}TaskRunner"


def test_dask_without_its_package_is_refused_with_the_command_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", "dask")
    monkeypatch.setitem(sys.modules, "prefect_dask.task_runners", None)
    with pytest.raises(SettingsError, match=r"prefect-dask is not installed here. Install it with .*'\.\[dask\]'"):
        runner()
