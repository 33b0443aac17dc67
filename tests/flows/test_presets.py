"""Presets: parameter files that the flow's form accepts, for the paper's pairs and for a first run."""

import codecs
import json
import os
from pathlib import Path
from typing import Any

import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.flows import presets
from bitext_pivot.flows.presets import FOLDER, load, merge, names
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.tasks.run.finished import folder_name

PIVOTS = ("ar", "de", "es", "fr", "it", "nl", "pt", "ru")
INTO_OTHERS = ("en-de", "en-es", "en-fr")
NOT_IN_THE_PAPER = ("en-nl", "en-pt")


@pytest.mark.parametrize("name", names())
def test_the_form_accepts_a_preset_named_after_its_pair(name: str) -> None:
    from bitext_pivot.flows.pivot_settings import PivotBitext

    settings = PivotBitext.model_validate(load(name))
    assert name.endswith(f"{settings.pivot}-{settings.language}")
    assert not any(corpus.endswith("/latest") for corpus in settings.corpora)


@pytest.mark.parametrize("name", names(FOLDER / "train"))
def test_the_form_of_trainings_accepts_their_presets(name: str) -> None:
    settings = TrainModel.model_validate(load(name, FOLDER / "train"))
    assert settings.task == (name.removeprefix("demo-") if "-" in name else "split")


def test_the_demo_trains_on_what_it_builds() -> None:
    """Another data set in the same folder, as of the user's own corpus, has another title and is refused."""
    from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
    from bitext_pivot.flows.mine_settings import MineMarkers
    from bitext_pivot.flows.pivot_settings import PivotBitext
    from bitext_pivot.flows.unfuse_settings import UnfuseText

    built = {
        "demo": PivotBitext(**load("demo-fr-en")),
        "demo-fuse": UnfuseText(**load("demo", FOLDER / "unfuse")),
        "demo-markers": MineMarkers(**load("demo", FOLDER / "mine")),
        "demo-relations": ExplicitateBitext(**load("demo", FOLDER / "explicitate")),
    }
    assert built.keys() == {*names(FOLDER / "train")} - {"split"}
    for name, form in built.items():
        settings = TrainModel.model_validate(load(name, FOLDER / "train"))
        assert (settings.data, settings.titles) == (
            [f"{folder_name(form.title)}/latest"],
            [form.title],
        )


def test_there_is_a_preset_for_every_pair_of_the_paper_and_every_language_with_all_filters() -> (
    None
):
    pairs = [*(f"{pivot}-en" for pivot in PIVOTS), *INTO_OTHERS]
    more = [
        *(f"paper-{pair}" for pair in pairs),
        *(f"first-{pivot}-en" for pivot in PIVOTS),
        "demo-fr-en",
        "demo-es-en",
    ]
    assert set(names()) == {*pairs, *more, *NOT_IN_THE_PAPER}


@pytest.mark.parametrize("name", names(FOLDER / "join"))
def test_the_form_of_joins_accepts_its_presets(name: str) -> None:
    from bitext_pivot.flows.join_settings import JoinBuilds

    settings = JoinBuilds.model_validate(load(name, FOLDER / "join"))
    assert [form.language for form in settings.forms()] == [settings.language] * len(
        settings.presets
    )


@pytest.mark.parametrize("start", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.json", '{"settings": {"pivot": "de"}}'),
        ("mine.JSON", '{\r\n"settings": {"pivot": "de"}}\r\n'),
        ("mine", '{"settings": {"pivot": "de"}}'),
        ("mine.toml", '# Größe\npivot = "de"\n'),
        ("mine.TOML", 'pivot = "de"\r\n'),
        ("mine.v2.Toml", 'pivot = "de"'),
    ],
)
def test_a_file_of_ones_own_is_a_preset_too(
    name: str, content: str, start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(start + content.encode())
    assert load(name) == load(f"./{name}") == load(str(tmp_path / name)) == {"pivot": "de"}


@pytest.mark.parametrize("name", ["mine.yaml", "mine.toml.bak", "mine.tsv.gz"])
def test_a_file_with_another_ending_is_refused_by_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("pivot: de\n", encoding="utf-8")
    for path in (name, f"./{name}"):
        with pytest.raises(SettingsError, match=r"file extension \.(yaml|bak|tsv)\. .*\.toml"):
            load(path)


@pytest.mark.parametrize(
    "content", [None, "{", "[]", '{"pivot": "de"}', '{"settings": {}, "other": 1}']
)
def test_a_file_that_is_no_preset_is_refused(
    tmp_path: Path, content: str | None, golden: Golden
) -> None:
    path = tmp_path / "mine.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with golden.refused(SettingsError):
        load(str(path))


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        SettingsError, match=r"'paper-fr-em' is not a preset\. Did you mean 'paper-fr-en'\?"
    ):
        load("paper-fr-em")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"pivot": "fr", "extraction": {"max_links": 5, "max_characters": 9}}),
        ({"pivot": "de"}, {"pivot": "de", "extraction": {"max_links": 5, "max_characters": 9}}),
        ({"extraction": {"max_links": 7}}, {"pivot": "fr", "extraction": {"max_links": 7, "max_characters": 9}}),
        ({"extraction": None}, {"pivot": "fr", "extraction": None}),
        ({"filters": {"preset": "strict"}}, {
            "pivot": "fr", "extraction": {"max_links": 5, "max_characters": 9}, "filters": {"preset": "strict"},
        }),
    ],
)  # fmt: skip
def test_what_is_given_has_the_last_word(given: dict[str, Any], expected: dict[str, Any]) -> None:
    preset = {"pivot": "fr", "extraction": {"max_links": 5, "max_characters": 9}}
    before = json.dumps(preset)
    assert merge(preset, given) == expected
    assert json.dumps(preset) == before


@pytest.mark.parametrize(("preset", "given", "mirror"), [
    ("demo-fr-en", "", presets.QUICKSTART),
    ("demo-es-en", "", presets.QUICKSTART),
    ("demo-fr-en", "https://example.org", "https://example.org"),
    ("fr-en", "", ""),
    ("first-fr-en", "", ""),
])  # fmt: skip
def test_a_demo_reads_the_bitext_of_the_quickstart(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    preset: str,
    given: str,
    mirror: str,
) -> None:
    from bitext_pivot.commands.build import BuildForm

    monkeypatch.setenv("BITEXT_PIVOT_OPUS", given)
    if not given:
        monkeypatch.delenv("BITEXT_PIVOT_OPUS")
    monkeypatch.chdir(tmp_path)
    if preset == "demo-fr-en" and not given:
        with pytest.raises(ValueError, match="'demo-fr-en' needs quickstart/opus"):
            BuildForm.model_validate({"preset": preset})
    (tmp_path / presets.QUICKSTART).mkdir(parents=True)
    BuildForm.model_validate({"preset": preset})
    assert os.environ.get("BITEXT_PIVOT_OPUS", "") == mirror
