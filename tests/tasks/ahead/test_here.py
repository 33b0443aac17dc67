"""What a build would refuse, of each kind of form: all problems of a round together, the hub asked once."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.commands.main import main
from bitext_pivot.core.errors import AbsentError, BuildError, SettingsError, SourceError
from bitext_pivot.core.hub import hub, hub_client
from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.core.site import Site
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.flows.unfuse_settings import UnfuseText
from bitext_pivot.tasks.ahead.refusals import (
    check_before_run,
    check_offline,
    raise_together,
)
from bitext_pivot.tasks.run.forms import RecipeForm

ROOT = Path(__file__).parents[3]
PARSER = {"pipeline": str(ROOT / "quickstart" / "models" / "spacy-en-ud")}
MARIAN = "Helsinki-NLP/opus-mt-fr-en"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(home=tmp_path, opus=str(ROOT / "quickstart" / "opus"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models that the hub was asked for; each has a commit of its own, the number of the question."""
    questions: list[str] = []

    def preview(model: str, *_: Any) -> Preview:
        questions.append(model)
        return Preview(
            commit=f"{len(questions):040}",
            sizes={"model.safetensors": 5},
            missing=["model.safetensors"],
        )

    monkeypatch.setattr(hub_client, "preview_model", preview)
    hub.clear_previews()
    return questions


def pairs(**changes: Any) -> PivotBitext:
    form = {"corpora": ["Everyday/v1"], "parser": PARSER, "filters": {"preset": "rules"}}
    return PivotBitext.model_validate(form | changes)


def pinned_model(form: PivotBitext, site: Site) -> str | None:
    """Return the commit of the translation model, without a download."""
    pins = [resource.pins(site) for resource in form.resources()]
    (translation,) = (found["translation"] for found in pins if "translation" in found)
    revision: str | None = translation.revision
    return revision


def test_the_hub_is_asked_once_for_a_model(asked: list[str], site: Site) -> None:
    form = pairs()
    check_offline(form, site)
    check_offline(form, site)
    assert pinned_model(form, site) == f"{1:040}"
    assert asked == [MARIAN]
    hub.clear_previews()
    assert pinned_model(form, site) == f"{2:040}"


def test_each_pivot_language_has_the_commit_of_the_check(asked: list[str], site: Site) -> None:
    form = ExplicitateBitext.model_validate({"corpora": ["Everyday/v1"], "pivots": ["fr", "es"]})
    check_offline(form, site)
    commits = {pivot: each.revision for pivot, each in form.engines.pinned.items()}
    assert commits == {"fr": f"{1:040}", "es": f"{2:040}"} and len(asked) == 2


def test_what_was_downloaded_is_not_missing_any_more(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    monkeypatch.setattr(hub_client, "download_model", lambda *_: tmp_path)
    monkeypatch.setattr(
        hub_client, "preview_model", lambda *_: Preview(commit="c", sizes={"a": 5}, missing=["a"])
    )
    options: dict[str, Any] = {"choose": hub.choose_files, "setting": "model"}
    assert hub.preview(MARIAN, **options).download == 5
    hub.fetch(MARIAN, revision="c", **options)
    assert hub.preview(MARIAN, **options).download == 0


@pytest.mark.parametrize(
    "error", [SourceError("cannot be reached"), SettingsError("no such model")]
)
def test_a_model_that_cannot_be_had_is_refused_before_prefect_starts(
    asked: list[str], site: Site, monkeypatch: pytest.MonkeyPatch, error: BuildError
) -> None:
    def preview(*_: Any) -> Preview:
        raise error

    monkeypatch.setattr(hub_client, "preview_model", preview)
    with pytest.raises(type(error), match=f"^{error}$"):
        check_offline(pairs(), site)


MISSING = {"translation": {"model": "nobody/none"}, "parser": {"pipeline": "xx_none_sm"}}


def test_all_that_is_missing_is_named_at_once_after_the_plan(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def preview(*_: Any) -> Preview:
        raise SourceError("nobody/none cannot be had")

    monkeypatch.setattr(hub_client, "preview_model", preview)
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(ROOT / "quickstart" / "opus"))
    hub.clear_previews()
    with pytest.raises(
        SettingsError, match=r"(?s)nobody/none cannot be had.*'xx_none_sm' is not installed"
    ):
        check_offline(pairs(**MISSING), site)
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    preset = tmp_path / "missing.json"
    preset.write_text(json.dumps({"settings": pairs(**MISSING).model_dump(mode="json")}))
    assert main(["plan", "--preset", str(preset)]) == 2
    printed = capsys.readouterr()
    assert "no: not installed" in printed.out and "bitext-pivot models" in printed.out
    assert len(printed.err.splitlines()) == 2


def test_a_folder_that_cannot_be_written_is_refused_before_a_run(asked: list[str]) -> None:
    site = Site(home=Path("/proc/none"), opus=str(ROOT / "quickstart" / "opus"))
    check_offline(pairs(), site)
    with pytest.raises(SettingsError, match="cannot be written to /proc/none"):
        check_before_run(pairs(), site)


NOWHERE = {"corpora": ["Nowhere/v1", "Neverland/v1"]}


@pytest.mark.parametrize(
    "form",
    [
        pairs(**NOWHERE, translation={"engine": "echo"}),
        UnfuseText.model_validate(NOWHERE | {"parser": PARSER}),
        MineMarkers.model_validate(NOWHERE | {"parser": PARSER}),
        ExplicitateBitext.model_validate(
            NOWHERE | {"pivots": ["fr", "es"], "translation": {"engine": "echo"}}
        ),
        TrainModel(task="split", data=["Nowhere"], more=["Neverland"]),
    ],
    ids=lambda form: type(form).__name__,
)
def test_every_form_names_all_its_problems_together(form: RecipeForm, site: Site) -> None:
    with pytest.raises(SettingsError, match=r"(?s)Nowhere.*Neverland"):
        check_offline(form, site)


@pytest.mark.parametrize(("errors", "raised", "lines"), [
    ([SourceError("no answer")], SourceError, ["no answer"]),
    ([SourceError("no answer"), SourceError("none")], SourceError, ["no answer", "none"]),
    ([SourceError("no answer"), SettingsError("no column")], SettingsError, ["no column"]),
    ([AbsentError("no corpus"), SourceError("no answer")], AbsentError, ["no corpus"]),
    ([AbsentError("no corpus"), SettingsError("no column")], SettingsError, ["no corpus", "no column"]),
])  # fmt: skip
def test_what_a_server_lacks_is_said_if_nothing_else_is_wrong(
    errors: list[BuildError], raised: type[BuildError], lines: list[str]
) -> None:
    def check(error: BuildError) -> None:
        raise error

    with pytest.raises(BuildError) as refused:
        raise_together(*(partial(check, error) for error in errors))
    assert refused.type is raised
    assert str(refused.value).splitlines() == lines
