"""Commands that run a flow: what must be there before they start Prefect's server, what they say, and where."""

from pathlib import Path
from typing import Any

import pytest

from bitext_pivot import flows
from bitext_pivot.commands.flow_command import run_flow


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any settings be built."""
    from bitext_pivot.tasks.ahead import refusals

    monkeypatch.setattr(refusals, "check_before_run", lambda settings, site: None)


@pytest.mark.usefixtures("unchecked")
def test_a_build_ends_with_four_paragraphs_and_its_folder_alone_on_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bitext_pivot.core.storage import atomic

    stats = {
        "title": "fr-en: Tiny/v1",
        "warning": "",
        "most_lost": "The most frequent reasons for losses: 3 cut.",
        "counts": {"subset": {"train": 7, "test": 1}},
        "signature": {"settings": {}},
    }
    atomic.write_json(tmp_path / "stats.json", stats)
    monkeypatch.setattr(flows, "stages", lambda name: lambda settings: tmp_path)
    settings: Any = None
    run_flow("none", "none", settings)
    printed = capsys.readouterr()
    assert printed.out == f"{tmp_path}\n"
    how_many, *others = printed.err.splitlines()[::2]
    assert how_many == (
        f"8 rows of fr-en: Tiny/v1 are in {tmp_path}: 7 train, 0 validation, 1 test."
    )
    assert [text.partition("?")[0] for text in others] == ["How good", "What was lost", "What next"]
    assert "The most frequent reasons for losses: 3 cut." in others[1]
