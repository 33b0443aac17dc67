"""A run for all tests of stages."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture(autouse=True)
def local_run() -> Iterator[None]:
    """Run tasks on a thread, as a local build does."""
    from bitext_pivot.tasks.run.work import LocalWork, running

    with ThreadPoolExecutor(1) as pool, running(LocalWork(pool)):
        yield
