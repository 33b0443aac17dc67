"""The engine in docs/engines.md, Apertium, runs where the program is installed."""

import re
import shutil
from pathlib import Path

import pytest

from bitext_pivot.commands import custom_code
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.engine import LazyEngine
from bitext_pivot.translation.models import Translation, prepare_engine

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
ENGINE = "my_engine.py:Apertium"
installed = (
    shutil.which("apertium") is not None and Path("/usr/share/apertium/modes/spa-eng.mode").exists()
)
needs_apertium = pytest.mark.skipif(not installed, reason="needs apertium with apertium-eng-spa")


def chosen(folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> LazyEngine:
    """Return the engine of the page, which the user has named on a command line."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "my_engine.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BITEXT_PIVOT_ENGINES", "[]")
    assert custom_code.allowed(["plan", "--translation.engine", ENGINE]) == []
    settings = Translation(engine=ENGINE, model=mode)
    return prepare_engine(settings, "es", "en", models_folder=folder / "models")


@needs_apertium
def test_spanish_becomes_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = chosen(tmp_path, monkeypatch, "spa-eng")
    outputs = engine.translate(["El gato negro duerme en la casa.", "El gato\r\nnegro", "[a] ^x$"])
    assert [output.text for output in outputs] == [
        "The black cat sleeps in the house.",
        "The black cat",
        "[To] ^x$",
    ]
    assert engine.signature.startswith("Apertium my_engine.py ")
    assert "model=spa-eng Apertium 3." in engine.signature


def test_without_apertium_the_program_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        SettingsError, match=r"custom engine 'Apertium' \(my_engine\.py .*'apertium'"
    ):
        chosen(tmp_path, monkeypatch, "spa-eng")
