"""The short cut of a finished build holds as long as no part of the key of any of its stages has changed."""

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builds import tiny, unnoticed_changes

from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import manifest
from bitext_pivot.filters.chain import Filters
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.unfuse_settings import UnfuseText
from bitext_pivot.tasks.ahead.inventory import finished_before, identities
from bitext_pivot.tasks.ahead.refusals import signed
from bitext_pivot.tasks.judge import judge
from bitext_pivot.tasks.run import finished
from bitext_pivot.tasks.run.forms import RecipeForm

FORMS: dict[str, Callable[[Path], RecipeForm]] = {
    "build": lambda texts: PivotBitext.model_validate(
        tiny(corpora=[], own=[str(texts / "days")], screening={})
    ),
    "unfuse": lambda texts: UnfuseText.model_validate(
        {"corpora": [], "own": [str(texts / "folder")], "parser": tiny()["parser"]}
    ),
    "discovery": lambda texts: MineMarkers.model_validate(
        {"corpora": [], "own": [str(texts / "folder")], "parser": tiny()["parser"]}
    ),
    "explicitate": lambda _: ExplicitateBitext.model_validate({"translation": {"engine": "echo"}}),
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder with a bitext and with documents."""
    (tmp_path / "days.en").write_text("It rained. We stayed.\n", encoding="utf-8")
    (tmp_path / "days.fr").write_text("Il pleuvait et on restait.\n", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("It rained. Then we went.\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    return Site()


def remember(form: RecipeForm, site: Site, name: str = "export-1", text: str = "{}\n") -> Path:
    """Write a data set and the record that a build of the form gave it; return its folder."""
    folder = site.build_folder(finished.folder_name(form.title)) / name
    folder.mkdir(parents=True)
    (folder / "pairs.jsonl").write_text(text, encoding="utf-8")
    manifest.write(folder, {"pairs.jsonl": 1}, [])
    finished.record_build(folder, signed(form, site)[1], identities(form, site) or {})
    return folder


@pytest.mark.quickstart
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_a_build_begins_when_any_part_of_the_key_of_any_stage_changes(
    form: Callable[[Path], RecipeForm], texts: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = form(texts)
    folder = remember(settings, site)
    assert finished_before(settings, site) == folder
    assert unnoticed_changes(settings, site, monkeypatch) == []


PACKAGES = {
    "build": ("py3langid", "ftfy"),
    "discovery": ("py3langid",),
}


def with_newer(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a package have another version."""
    version = importlib.metadata.version

    def newer(name: str) -> str:
        return "99.1" if name == package else version(name)

    monkeypatch.setattr(importlib.metadata, "version", newer)
    monkeypatch.setattr("bitext_pivot.alignments.screening.boilerplate.version", newer)


@pytest.mark.quickstart
@pytest.mark.parametrize(
    ("recipe", "package"), [(recipe, name) for recipe in PACKAGES for name in PACKAGES[recipe]]
)
def test_a_build_begins_with_another_version_of_a_package_that_screens(
    recipe: str, package: str, texts: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = FORMS[recipe](texts)
    folder = remember(form, site)
    assert finished_before(form, site) == folder
    with_newer(package, monkeypatch)
    assert finished_before(form, site) is None


@pytest.mark.quickstart
def test_a_data_set_in_the_place_of_another_is_not_that_of_the_build(
    texts: Path, site: Site
) -> None:
    form = FORMS["build"](texts)
    folder = remember(form, site)
    (folder / "pairs.jsonl").write_text('{"of": "B"}\n', encoding="utf-8")
    manifest.write(folder, {"pairs.jsonl": 1}, [])
    assert manifest.problems(folder) == []
    assert finished_before(form, site) is None


@pytest.mark.parametrize(
    ("preset", "old", "new", "is_another"),
    [
        ("strict", {}, {"entailment": {"known_good_lost": 0.5}}, False),
        ("strict", {}, {"entailment": {"label": 1}}, False),
        ("strict", {}, {"bertscore": {"min_score": 0.1}}, True),
        ("rules", {}, {"overlap": {"min_overlap": 0.9}}, True),
    ],
)  # fmt: skip
def test_judged_shards_depend_on_the_thresholds_of_the_filters_that_are_on(
    preset: str, old: dict[str, Any], new: dict[str, Any], is_another: bool
) -> None:
    keys = [
        judge(Filters.model_validate({"preset": preset, "advanced": advanced})).facts()
        for advanced in (old, new)
    ]
    assert (keys[0] != keys[1]) is is_another
