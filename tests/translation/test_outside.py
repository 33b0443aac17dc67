"""Engines from outside: what loads them, what they translate, and what is refused in one line."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from outside_engine import CODE, install
from pydantic import ValidationError

from bitext_pivot.commands import custom_code
from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.engine import LazyEngine
from bitext_pivot.translation.models import Translation, prepare_engine

FILE = "mine.py:Glossary"
Choose = Callable[..., LazyEngine]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a file of an engine and an installed one; the user has named none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BITEXT_PIVOT_ENGINES", "[]")
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.delitem(sys.modules, "glossaries", raising=False)
    return tmp_path


@pytest.fixture
def choose(folder: Path) -> Choose:
    """Return an engine that the user has named on a command line."""

    def chosen(name: str, pivot: str = "fr", **settings: Any) -> LazyEngine:
        assert custom_code.allowed(["plan", "--translation.engine", name]) == []
        translation = Translation.model_validate({"engine": name, **settings})
        return prepare_engine(translation, pivot, "en", models_folder=folder / "models")

    return chosen


@pytest.mark.parametrize(
    ("name", "words"),
    [("glossary", "glossary glossaries 1.5 "), (FILE, "Glossary mine.py ")],
)
def test_an_engine_translates_and_its_signature_says_where_it_comes_from(
    name: str, words: str, choose: Choose
) -> None:
    engine = choose(name)
    (output,) = engine.translate(["Le chat dort ."])
    assert (output.text, output.confidence) == ("the cat sleeps .", None)
    assert engine.signature.startswith(words) and "direction=fr-en" in engine.signature
    signatures = {engine.signature, choose(name, "de").signature, choose(name, model="!").signature}
    assert len(signatures) == 3  # stored translations are not shared


def test_changed_code_and_another_version_have_other_signatures(
    folder: Path, choose: Choose
) -> None:
    before = choose(FILE).signature
    (folder / "mine.py").write_text(CODE.replace("sleeps", "slept"), encoding="utf-8")
    after = choose(FILE)
    assert after.signature != before
    assert after.translate(["dort"])[0].text == "slept"
    assert choose(FILE).signature == after.signature


@pytest.mark.parametrize("name", ["glossary", FILE])
def test_settings_of_a_card_or_a_form_load_no_code(name: str, folder: Path) -> None:
    for path in (folder / "mine.py", folder / "packages" / "glossaries.py"):
        path.write_text("raise SystemExit('loaded')", encoding="utf-8")
    with pytest.raises(ValidationError) as refused:
        Translation.model_validate({"engine": name})
    (line,) = refused_values.problems(refused.value)
    assert f"--translation.engine {name}" in line and "glossaries" not in sys.modules


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("maria", "expected marian, endpoint, echo"),
        ("nowhere.py:A", "nowhere.py"),
        ("mine.py:Nothing", "no class 'Nothing'"),
        ("mine.py:TranslatedText", "is not an engine"),
        ("exits.py:A", "SystemExit"),
    ],
)
def test_what_is_no_engine_is_refused_in_one_line(
    name: str, words: str, folder: Path, choose: Choose
) -> None:
    (folder / "exits.py").write_text("import sys; sys.exit(0)", encoding="utf-8")
    with pytest.raises(ValidationError) as refused:
        choose(name)
    (line,) = refused_values.problems(refused.value)
    assert words in line and "\n" not in line


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("return [TranslatedText", "return texts or [TranslatedText"),
        ("return [TranslatedText", "1 / 0; [TranslatedText"),
        ("return [TranslatedText", "[TranslatedText"),
        ("return [TranslatedText", "return 2 * [TranslatedText"),
        ("request.pivot", "request.nothing"),
        ("return [TranslatedText", "exit(); [TranslatedText"),
        ("confidence=None", "confidence=5.0"),
        ("confidence=None", "confidence=float('nan')"),
        ("confidence=None", "confidence='x'"),
        ("confidence=None", "confidence=True"),
        ("confidence=None", "confidence='0.5'"),
        ("text=self._translated(text)", "text=None"),
        ("text=self._translated(text)", "text='\\0'"),
        ("text=self._translated(text)", "text='\\ud800'"),
        ("    def translate", "    gpus = 'a'\n\n    def translate"),
        ("    def translate", "    gpus = -1\n\n    def translate"),
        ("    def translate", "    def signature(self):\n        return 'a'\n\n    def translate"),
        ("    def translate", "    signature = property(lambda self: 1 / 0)\n\n    def translate"),
        ("    def translate", "    signature = property(lambda self: exit())\n\n    def translate"),
    ],
)
def test_an_engine_that_fails_is_named(
    right: str, wrong: str, folder: Path, choose: Choose
) -> None:
    (folder / "mine.py").write_text(CODE.replace(right, wrong), encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"custom engine 'Glossary' \(mine\.py .*\) raised"
    ) as refused:
        choose(FILE).translate(["Le chat dort ."])
    assert len(str(refused.value).splitlines()) == 1


def test_the_form_offers_the_engines_that_the_user_named(folder: Path) -> None:
    def offered() -> list[str]:
        names: list[str] = Translation.model_json_schema()["properties"]["engine"]["enum"]
        return names

    before = offered()
    assert {"marian", "endpoint", "echo"} == {*before}
    custom_code.allowed(["serve", "--translation.engine=glossary"])
    assert offered() == [*before, "glossary"]
