"""A command looks for garbage rarely, and still finds it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from bitext_pivot.commands.main import main


@pytest.fixture(autouse=True)
def threshold() -> Iterator[None]:
    """Python's own threshold, and after the test that of the other tests."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


class Node:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_a_command_looks_for_garbage_rarely_and_finds_it() -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    looks = sum(each["collections"] for each in gc.get_stats())
    lost = weakref.ref(Node())
    kept = [[number] for number in range(15_000)]
    assert sum(each["collections"] for each in gc.get_stats()) <= looks + 1
    kept += [[number] for number in range(15_000)]
    assert lost() is None and len(kept) == 30_000
