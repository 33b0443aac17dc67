"""One page for all bad days, the build they are compared with, and a gate at which a build can be met by one."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from bad_days import SETTINGS, Build, Far
from filelock import FileLock
from served import Page, served


@pytest.fixture(scope="package")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page as `make serve` brings it."""
    with served(tmp_path_factory.mktemp("page"), PREFECT_WORKER_QUERY_SECONDS="1") as page:
        yield page


@pytest.fixture(scope="package")
def calm(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a build that nothing befell."""
    home = tmp_path_factory.mktemp("calm")
    assert page.ends(page.run("fr-en", SETTINGS, home))[0] == "Completed"
    return home


@pytest.fixture
def build(tmp_path: Path, calm: Path) -> Build:
    """A data folder for this test."""
    return Build(tmp_path / "home", calm)


@pytest.fixture
def gated(build: Build) -> Iterator[Callable[[], None]]:
    """Let builds in the folder stop before the shard at the gate, until the function is called or the test ends."""
    build.gate.parent.mkdir(parents=True)
    with ExitStack() as stack:
        stack.enter_context(FileLock(build.lock))
        yield stack.close


@pytest.fixture
def far(page: Page) -> Iterator[Far]:
    """A worker behind a line that can be cut."""
    far = Far(page)
    yield far
    far.end()
