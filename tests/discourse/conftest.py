"""A run for all tests of stages."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture(autouse=True)
def local_run() -> Iterator[None]:
    """Run tasks on a thread, as a local build does."""
    from bitext_pivot.tasks.run.current_run import Run, use_run

    with ThreadPoolExecutor(1) as pool, use_run(Run(pool)):
        yield
