"""Where model-based filters run in these tests: the CPU, with a store of their own; processors of two kinds."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.precision import fastest


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(device="cpu", threads=2, store=partial(RowStore, tmp_path / "store"))


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What the processor can do: a dictionary for a test to change, at first without bfloat16."""
    import torch

    capabilities: dict[str, Any] = {}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    fastest.cache_clear()
    yield capabilities
    fastest.cache_clear()


@pytest.fixture
def old_processor(processor: dict[str, Any]) -> None:
    """One without bfloat16."""


@pytest.fixture
def new_processor(processor: dict[str, Any]) -> None:
    """One with bfloat16."""
    processor["avx512_bf16"] = True
