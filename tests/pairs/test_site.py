"""Site: what an encoder may take of a machine."""

import pytest

from pairs.site import Site


@pytest.mark.parametrize(
    ("runner", "scheduler", "threads"),
    [("threads", None, 6), ("processes", None, 3), ("dask", None, 3), ("dask", "tcp://scheduler:8786", 6)],
)
def test_processes_of_one_machine_share_the_threads_of_encoders(
    runner: str, scheduler: str | None, threads: int
) -> None:
    assert (
        Site.model_validate({"runner": runner, "scheduler": scheduler, "workers": 2, "threads": 6}).encoding == threads
    )


def test_each_process_has_a_thread_at_least() -> None:
    assert Site(runner="processes", workers=8, threads=2).encoding == 1
