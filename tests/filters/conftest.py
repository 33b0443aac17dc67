"""Where model-based filters run in these tests: the CPU, with a store of their own."""

from functools import partial
from pathlib import Path

import pytest

from filters.base import Runtime
from pairs.storage.store import RowStore


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(device="cpu", threads=2, store=partial(RowStore, tmp_path / "store"))
