"""Commands that run a flow: what must be there before they start Prefect's server."""

from pathlib import Path

import pytest

from bitext_pivot.commands.flow_command import run_flow
from bitext_pivot.core.errors import SettingsError


def test_a_flow_needs_a_folder_for_its_server(tmp_path: Path) -> None:
    from prefect import Flow
    from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

    (tmp_path / "file").touch()
    home = tmp_path / "file" / "prefect"
    with (
        temporary_settings({PREFECT_HOME: home}, restore_defaults={PREFECT_API_URL}),
        pytest.raises(SettingsError, match="set PREFECT_HOME"),
    ):
        run_flow(Flow(lambda: pytest.fail("the flow was run"), name="none"), "none")
