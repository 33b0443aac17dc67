"""The models of a build: sizes and missing files in the plan, commits in the signature, downloads."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.hub import hub
from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.core.languages import section
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.differences import find_differences
from bitext_pivot.filters.neural import entailment
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.run import loaded_models
from bitext_pivot.tasks.run.loaded_models import commits, fetch_all, model_table
from bitext_pivot.tasks.run.resources import EngineResource, FilterResource

MARIAN = "Helsinki-NLP/opus-mt-fr-en"
COMMIT = "c" * 40
ENCODER = {"bertscore": {"model": "owner/encoder", "layer": 6, "min_score": 0.4}}
PARSER = str(Path(__file__).parents[3] / "quickstart" / "models" / "spacy-en-ud")


def form(**changes: Any) -> PivotBitext:
    return PivotBitext.model_validate(
        {"filters": {"preset": "paper", "advanced": ENCODER}, "parser": {"pipeline": PARSER}}
        | changes
    )


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the hub answers, by name of the model: a preview or an error."""
    answers: dict[str, Any] = {
        MARIAN: Preview(
            commit=COMMIT,
            sizes={"pytorch_model.bin": 300_000_000, "vocab.json": 1},
            missing=["vocab.json"],
        ),
        "owner/encoder": Preview(
            commit="d" * 40, sizes={"model.safetensors": 90_000_000}, missing=[]
        ),
    }

    def preview(model: str, **_: Any) -> Preview:
        # The pipeline is a package.
        answer: Preview | Exception = answers.get(model, Preview(commit=None, sizes={}, missing=[]))
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(hub, "preview", preview)
    return answers


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default pipeline of English is one that nobody has installed."""
    monkeypatch.setitem(section("en", "pipeline"), "package", "en_absent_sm")


@pytest.mark.usefixtures("absent")
def test_a_plan_lists_every_model_with_size_and_state(known: dict[str, Any]) -> None:
    rows = {row[0]: row[1:] for row in model_table(form(parser={}).processing()).rows}
    assert rows["translate"] == (MARIAN, "300.0 MB", "no: 1 byte to download")
    assert rows["bertscore"] == ("owner/encoder", "90.0 MB", "yes")
    assert rows["parse"] == ("en_absent_sm", "", "no: not installed")
    assert "bitext-pivot models fr en" in model_table(form(parser={}).processing()).note
    known[MARIAN] = SourceError("the hub cannot be reached")
    assert model_table(form().processing()).rows[0][2:] == (
        "unknown",
        "no, and the hub does not serve it",
    )


def test_branches_are_pinned_to_commits_and_packages_have_none(known: dict[str, Any]) -> None:
    recipe = form(translation={"revision": "main"})
    translation = EngineResource(recipe.translation, "fr", "en").pinned
    filters = FilterResource(recipe.filters, "en").pins(Site())["filters"]
    assert (translation.model, translation.revision) == (MARIAN, COMMIT)
    assert filters.advanced.bertscore.revision == "d" * 40
    assert filters.scoring_key() == recipe.filters.scoring_key()  # it has the digest of the weights
    assert commits(recipe.processing().models) == {
        "translate": {"model": MARIAN, "revision": COMMIT},
        "bertscore": {"model": "owner/encoder", "revision": "d" * 40},
    }
    assert (
        commits(
            form(translation={"engine": "echo"}, filters={"preset": "paper"}).processing().models
        )
        == {}
    )


@pytest.mark.parametrize(("pivot", "language", "name"), [
    ("fr", "en", "cross-encoder/nli-deberta-v3-xsmall"), ("en", "de", "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli"),
])  # fmt: skip
def test_the_preset_checked_has_an_entailment_model_for_the_language(
    pivot: str, language: str, name: str, known: dict[str, Any]
) -> None:
    known[name] = Preview(
        commit="e" * 40, sizes={"model.safetensors": 700_000_000}, missing=["model.safetensors"]
    )
    settings = PivotBitext.model_validate(
        {"pivot": pivot, "language": language, "filters": {"preset": "checked"}}
    )
    processing = settings.processing("cpu")
    assert processing.models[-1].name == name and processing.models[-1].stage == "entailment"
    assert (
        f"bitext-pivot models {pivot} {language} --preset checked" in model_table(processing).note
    )
    filters = FilterResource(settings.filters, language).pins(Site())["filters"]
    exact = filters.advanced.entailment
    assert (exact.model, exact.revision) == (name, "e" * 40)
    assert PivotBitext().processing().models[-1].stage == "meaning"


def test_the_command_that_downloads_takes_the_models_that_the_settings_name(
    known: dict[str, Any],
) -> None:
    known["owner/pl-en"] = SourceError("the hub cannot be reached")
    translation = {"model": "owner/pl-en", "revision": "v1"}
    processing = form(pivot="pl", translation=translation).processing()
    named = f"--translation.model owner/pl-en --translation.revision v1 --parser.pipeline {PARSER}"
    assert model_table(processing).note.endswith(f"bitext-pivot models pl en {named}")


@pytest.mark.usefixtures("known")
def test_the_model_of_the_device_is_in_the_settings_of_a_build_and_is_used_on_any_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(entailment, "torch_device", lambda choice: choice)
    form = PivotBitext.model_validate({"filters": {"preset": "checked"}})
    here, there = (Site(home=tmp_path, device=device) for device in ("cpu", "cuda"))
    pins = [FilterResource(form.filters, "en").pins(site) for site in (here, there)]
    small, base = (form.model_copy(update=pin) for pin in pins)
    assert [one.filters.advanced.entailment.model for one in (small, base)] == [
        "cross-encoder/nli-deberta-v3-xsmall",
        "cross-encoder/nli-deberta-v3-base",
    ]
    assert small.processing("cuda").filters == small.filters
    # a build that goes on where another model is the default: another key
    before, after = (one.processing("cuda").filters.scoring_key() for one in (small, base))
    assert [path for path, _ in find_differences(before, after)] == [("entailment", "model")]


def test_all_models_of_a_language_pair_are_downloaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fetched: list[str] = []
    installed: list[str] = []

    def fetch(name: str, **_: Any) -> Any:
        fetched.append(name)
        return type("Local", (), {"folder": tmp_path})

    monkeypatch.setattr(hub, "fetch", fetch)
    monkeypatch.setattr(
        pipelines, "find_installed", lambda name: tmp_path if name in installed else None
    )

    def run(command: list[str], **_: Any) -> Any:
        installed.append(command[-1])
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr("bitext_pivot.syntax.pipelines.subprocess.run", run)
    lines = list(fetch_all(PivotBitext().processing()))
    assert fetched == [MARIAN, "all-MiniLM-L6-v2"] and installed == ["en_core_web_sm"]
    assert [line.split()[1] for line in lines] == [MARIAN, "all-MiniLM-L6-v2", "en_core_web_sm"]


@pytest.mark.usefixtures("absent")
def test_a_pipeline_that_cannot_be_installed_is_a_source_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = type("Done", (), {"returncode": 1, "stderr": "no network\n"})
    monkeypatch.setattr("bitext_pivot.syntax.pipelines.subprocess.run", lambda *_, **__: done)
    with pytest.raises(SourceError, match="'en_absent_sm' could not be installed"):
        pipelines.install_pipeline("en_absent_sm")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(home=tmp_path)


@pytest.mark.quickstart
def test_a_pipeline_that_changes_while_a_build_runs_is_refused(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "parser"
    shutil.copytree(PARSER, folder)
    monkeypatch.setattr(loaded_models._loaded, "pipelines", {}, raising=False)
    parser = Parser(pipeline=str(folder))
    signature = loaded_models.parser_signature(parser, "en", site)
    (folder / "notes.txt").write_text("changed", encoding="utf-8")
    # The key of shards stays.
    assert loaded_models.parser_signature(parser, "en", site) == signature
    with pytest.raises(
        SettingsError, match=r"The files of .*parser have changed since this build began"
    ):
        loaded_models.pipeline_for(parser, "en", site)
