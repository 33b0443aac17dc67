"""Check: what it writes into the log."""

import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from builds import quickstart

from bitext_pivot.core.hub import device
from bitext_pivot.core.site import Site
from bitext_pivot.flows.pivot_settings import PivotBitext

ROOT = Path(__file__).parents[3]


@pytest.fixture
def stage() -> Any:
    """The module, imported before the test: Prefect replaces the handlers of the log when it is imported."""
    from bitext_pivot.tasks.ahead import check

    return check


@pytest.mark.quickstart
def test_the_log_names_the_device_of_each_library(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    from bitext_pivot.tasks.run.models import engine_for

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", "quickstart/opus")
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    monkeypatch.delenv("BITEXT_PIVOT_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(stage, "get_run_logger", lambda: logging.getLogger("test"))
    monkeypatch.setattr(stage, "in_the_log", nullcontext)
    monkeypatch.setattr(device, "_selected", {})
    device.torch_device.cache_clear()
    engine_for.cache_clear()
    form = PivotBitext.model_validate(quickstart())
    with caplog.at_level(logging.INFO, logger="test"):
        stage.check.fn(form, Site())
    assert "CTranslate2 runs on the CPU (no CUDA GPU was found)." in caplog.messages
    assert "PyTorch runs on the CPU (no CUDA GPU was found)." in caplog.messages
