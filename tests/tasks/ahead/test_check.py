"""Check: what it writes into the log."""

import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from builds import DOCUMENTS, tiny, write_corpus

from bitext_pivot.core.hub import device
from bitext_pivot.core.site import Site
from bitext_pivot.flows.pivot_settings import PivotBitext


@pytest.fixture
def stage() -> Any:
    """The module, imported before the test: Prefect replaces the handlers of the log when it is imported."""
    from bitext_pivot.tasks.ahead import check

    return check


def is_missing() -> None:
    raise LookupError("no CUDA GPU was found")


@pytest.mark.quickstart
def test_the_log_names_the_device_of_each_library(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stage, "get_run_logger", lambda: logging.getLogger("test"))
    monkeypatch.setattr(stage, "in_the_log", nullcontext)
    monkeypatch.setattr(device, "selected", {})
    for library in ("CTranslate2", "PyTorch"):
        device.select("auto", library, is_missing)
    site = Site(home=tmp_path, opus=str(write_corpus(tmp_path / "opus", DOCUMENTS)))
    with caplog.at_level(logging.INFO, logger="test"):
        stage.check.fn(PivotBitext.model_validate({"pivot": "fr", **tiny()}), site)
    assert "CTranslate2 runs on the CPU (no CUDA GPU was found)." in caplog.messages
    assert "PyTorch runs on the CPU (no CUDA GPU was found)." in caplog.messages
