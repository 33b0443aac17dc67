"""The flow of Discovery over the quickstart's documents; tests/test_demo.py reads what it builds."""

from pathlib import Path
from typing import Any

import pytest
from builds import files_without_checksum, unlisted_parts

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.flows import presets
from bitext_pivot.flows.mine_settings import MineMarkers


def form(**changes: Any) -> MineMarkers:
    return MineMarkers.model_validate({**presets.load("demo", presets.FOLDER / "mine"), **changes})


@pytest.mark.nightly
@pytest.mark.quickstart
def test_a_finished_data_set_is_found_and_high_thresholds_are_refused(home: Path) -> None:
    from bitext_pivot.flows.mine_markers import mine_markers
    from bitext_pivot.tasks.ahead.inventory import finished_before

    folder = mine_markers(form())
    assert finished_before(form(), Site()) == folder
    assert files_without_checksum(folder) == set()
    assert unlisted_parts(form(), Site(), "en", "discovery-en") == []
    assert finished_before(form(selection={}), Site()) is None
    with pytest.raises(
        SettingsError,
        match=r"No marker has 10,000 pairs \(selection.min_count\).*: 'therefore' \(1",
    ):
        mine_markers(form(selection={}))


def test_languages_without_a_list_have_adverbs() -> None:
    assert form(language="fi").candidates.adverbs
