"""Commands that run a flow: what must be there before they start Prefect's server, what they say, and where."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bitext_pivot import flows
from bitext_pivot.commands.flow_command import run_flow
from bitext_pivot.core.errors import SettingsError


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any settings be built."""
    from bitext_pivot.tasks.ahead import refusals

    monkeypatch.setattr(refusals, "check_before_run", lambda settings, site: None)


@pytest.mark.usefixtures("unchecked")
def test_a_flow_needs_a_folder_for_its_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

    (tmp_path / "file").touch()
    home = tmp_path / "file" / "prefect"
    monkeypatch.setattr(flows, "load", lambda name: pytest.fail("it was run"))
    settings: Any = None
    with (
        temporary_settings({PREFECT_HOME: home}, restore_defaults={PREFECT_API_URL}),
        pytest.raises(SettingsError, match="set PREFECT_HOME"),
    ):
        run_flow("none", "none", settings)


@pytest.mark.usefixtures("unchecked")
def test_a_build_ends_with_four_paragraphs_and_its_folder_alone_on_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bitext_pivot.core.storage import atomic
    from bitext_pivot.deployments import temporary_server

    stats = {
        "title": "fr-en: Tiny/v1",
        "warning": "",
        "most_lost": "Most were lost for: 3 cut.",
        "counts": {"subset": {"train": 7, "test": 1}},
        "signature": {"settings": {}},
    }
    atomic.write_json(tmp_path / "stats.json", stats)
    monkeypatch.setattr(temporary_server, "ensure_server", lambda: None)
    flow = SimpleNamespace(with_options=lambda flow_run_name: lambda settings: tmp_path)
    monkeypatch.setattr(flows, "load", lambda name: flow)
    settings: Any = None
    run_flow("none", "none", settings)
    printed = capsys.readouterr()
    assert printed.out == f"{tmp_path}\n"
    how_many, *others = printed.err.splitlines()[::2]
    assert how_many == (
        f"8 rows of fr-en: Tiny/v1 are in {tmp_path}: 7 train, 0 validation, 1 test."
    )
    assert [text.partition("?")[0] for text in others] == ["How good", "What was lost", "What next"]
    assert "Most were lost for: 3 cut." in others[1]
