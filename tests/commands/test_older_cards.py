"""Cards that an older version wrote: what `--preset` and `--from-card` make of settings that are gone."""

from pathlib import Path
from typing import Any

import pytest
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.corpus.rebuild import Card, section
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
    path.write_text(section(signature), encoding="utf-8")
    return path


def test_settings_that_are_gone_are_left_out_and_named(
    card: Path, caplog: pytest.LogCaptureFixture
) -> None:
    readable = Card.at(str(card)).readable_settings(PivotBitext)
    assert PivotBitext.model_validate(readable) == FORM
    assert caplog.messages == [
        f"{card} was written by bitext-pivot 0.1.0. Settings that 0.2.0 no longer has are left out: "
        "filters.advanced.confidence.quantile (0.05), filters.advanced.judge.read_prices ([])"
    ]


def test_settings_of_this_version_are_read_as_they_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "README.md"
    path.write_text(section({"settings": FORM.model_dump(mode="json")}), encoding="utf-8")
    readable = Card.at(str(path)).readable_settings(PivotBitext)
    assert PivotBitext.model_validate(readable) == FORM
    assert caplog.messages == []


def test_a_preset_begins_with_what_can_be_read(
    card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(tmp_path / "nothing"))
    saved = tmp_path / "saved.toml"
    main(["plan", "--preset", str(card), "--save", str(saved)])
    assert "Everyday/v1" in saved.read_text(encoding="utf-8")
    assert any("are left out: filters.advanced." in message for message in caplog.messages)


@pytest.mark.parametrize("command", ["build", "plan"])
def test_the_same_bytes_are_refused_with_the_version_that_writes_them(
    command: str, card: Path, refused: Said
) -> None:
    first, *others = refused(command, "--from-card", str(card)).splitlines()
    assert f"{card} was written by bitext-pivot 0.1.0, and this is 0.2.0. Install that" in first
    assert any("'quantile' is no setting of Confidence" in line for line in others)


def test_a_value_that_is_gone_is_refused(
    settings: dict[str, Any], tmp_path: Path, refused: Said
) -> None:
    settings["translation"]["engine"] = "marian-transformers"
    path = tmp_path / "README.md"
    path.write_text(section({"settings": settings}), encoding="utf-8")
    assert "translation" in refused("plan", "--preset", str(path))
