"""Cards that an older version wrote: what `--preset` makes of settings that are gone."""

from pathlib import Path
from typing import Any

import pytest
from messages import Said

from bitext_pivot.corpus.rebuild import rebuild_section
from bitext_pivot.flows.pivot_settings import PivotBitext

FORM = PivotBitext(pivot="fr", corpora=["Everyday/v1"])


@pytest.fixture
def settings() -> dict[str, Any]:
    """All settings of a build as version 0.1.0 had them, two of which are gone."""
    settings = FORM.model_dump(mode="json")
    settings["filters"]["advanced"]["confidence"]["quantile"] = 0.05
    settings["filters"]["advanced"]["judge"]["read_prices"] = []
    return settings


@pytest.fixture
def card(settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The card of that build."""
    monkeypatch.setattr("bitext_pivot.corpus.rebuild.version", lambda name: "0.2.0")
    path = tmp_path / "README.md"
    signature = {"settings": settings, "versions": {"bitext-pivot": "0.1.0"}}
    path.write_text(rebuild_section(signature), encoding="utf-8")
    return path


def test_a_preset_with_settings_that_are_gone_is_refused_with_their_names(
    card: Path, refused: Said, caplog: pytest.LogCaptureFixture
) -> None:
    said = refused("plan", "--preset", str(card))
    assert caplog.messages == [
        f"Changed since {card} was written: bitext-pivot 0.1.0 (now 0.2.0). The rows may differ."
    ]
    assert "'quantile' is not a setting" in said
    assert "'read_prices' is not a setting" in said


def test_a_value_that_is_gone_is_refused(
    settings: dict[str, Any], tmp_path: Path, refused: Said
) -> None:
    settings["translation"]["engine"] = "marian-transformers"
    path = tmp_path / "README.md"
    path.write_text(rebuild_section({"settings": settings}), encoding="utf-8")
    assert "translation" in refused("plan", "--preset", str(path))
