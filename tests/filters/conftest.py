"""Where model-based filters run in these tests: the CPU, with a store of their own; processors of two kinds."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from bitext_pivot.core.hub import processor
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.precision import fastest_precision


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(device="cpu", threads=2, store=partial(RowStore, tmp_path / "store"))


@pytest.fixture
def instructions(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """What the processor can do: names for a test to change, at first without bfloat16."""
    names = {"avx2", "fma"}
    monkeypatch.setattr(processor, "instruction_sets", lambda: names)
    fastest_precision.cache_clear()
    yield names
    fastest_precision.cache_clear()


@pytest.fixture
def old_processor(instructions: set[str]) -> None:
    """One without bfloat16."""


@pytest.fixture
def new_processor(instructions: set[str]) -> None:
    """One with bfloat16."""
    instructions.add("avx512_bf16")
