"""Check: what the form names must be loadable before anything is fetched or built."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task
from rich.filesize import decimal

from alignments import own, sources
from alignments.bitext import Bitext
from alignments.multiway import SharedBitext
from alignments.own import RequestedBitext
from alignments.running_text import RunningText
from corpus import rebuild
from filters.base import Runtime
from pairs.checkpoints import device
from pairs.errors import BuildError, SettingsError, SourceError
from pairs.site import Site
from pairs.storage import folders
from pairs.syntax.parsing import Parser
from tasks.models import Model, Processing, commits, pinned, pinned_translation, translation_model
from tasks.parse import pipeline_for
from tasks.progress import in_the_log
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.checkpoint import open_checkpoint
from translation.directions import check_direction
from translation.models import Translation


@task(task_run_name="check sources and models", **STAGE)
def check(bitext: Bitext, processing: Processing, site: Site) -> dict[str, Any]:
    """Download and load all models, and return the signature of what will run.

    The signature's `settings` are those of the form with the commits of hub models in place of branches; its `models`
    has these commits by stage.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language, or cannot work, for a
    language that cannot be split into sentences if that is needed, and if shards cannot be written.
    """
    log, language = get_run_logger(), bitext.language
    check_here(bitext, processing, site)
    models = commits(processing)
    for model in processing.models:
        if size := model.preview.download:
            log.info("Downloading %s: %s", model.name, decimal(size))
    processing, runtime = pinned(processing), Runtime.of(site)
    filters = processing.filters
    with in_the_log():
        engine = engine_for(processing.translation, bitext.pivot, language, site)
        for warning in filters.load(language, runtime):
            log.warning(warning)
    for level, line in device.selected():
        log.log(level, line)
    signature = {
        "engine": engine.signature,
        "parser": pipeline_for(processing.parser, language, site).signature,
        "filters": filters.signature(runtime),
        "bertscore": filters.advanced.bertscore.full_signature(runtime) if "bertscore" in filters.active() else None,
        "models": models,
        "versions": versions(site),
        "settings": bitext.model_dump(mode="json")
        | {"translation": processing.translation.model_dump(mode="json"), "filters": filters.model_dump(mode="json")},
    }
    folders.try_out(site.build_folder(bitext.folder))  # last: it makes the folder
    return signature


def versions(site: Site) -> dict[str, str]:
    """Return the versions of Python and of packages that write files, and the processor."""
    return rebuild.versions() | {"processor": device.processor(site.device)}


def check_here(bitext: Bitext, processing: Processing, site: Site) -> None:
    """Refuse what `check` refuses, as far as that is possible without a download; all problems in one message.

    Raises SettingsError with all problems, one per line.
    """
    raise_together(
        *(partial(sources.check, release) for release in bitext.releases()),
        *(partial(own.find, RequestedBitext(entry, bitext.language, bitext.pivot)) for entry in bitext.own),
        *(partial(_check_model, model, processing.pivot, processing.language) for model in processing.models),
        lambda: pipeline_for(processing.parser, bitext.language, site),
    )


@task(task_run_name="check documents and parser", **STAGE)
def check_texts(texts: RunningText, parser: Parser, site: Site) -> dict[str, Any]:
    """Load the parser, and return the signature of what will run; `settings` are those of the form.

    Raises SettingsError with all problems, and if shards cannot be written.
    """
    check_texts_here(texts, parser, site)
    folders.try_out(site.build_folder(texts.language))  # last: it makes the folder
    return {
        "parser": pipeline_for(parser, texts.language, site).signature,
        "versions": rebuild.versions(),
        "settings": texts.model_dump(mode="json"),
    }


def check_texts_here(texts: RunningText, parser: Parser, site: Site) -> None:
    """Refuse what `check_texts` refuses, before a flow begins. Raises SettingsError with all problems, one per line."""
    raise_together(texts.check, lambda: pipeline_for(parser, texts.language, site))


@task(task_run_name="check models", **STAGE)
def check_back(
    bitext: SharedBitext, translations: Mapping[str, Translation], site: Site
) -> tuple[dict[str, Translation], dict[str, Any]]:
    """Download and load the models of all pivots; return their settings with commits, and the signature of the build.

    Raises as `check`.
    """
    check_back_here(bitext, translations)
    settings = {
        pivot: pinned_translation(translation, pivot, bitext.language) for pivot, translation in translations.items()
    }
    with in_the_log():
        engines = {
            pivot: engine_for(translation, pivot, bitext.language, site) for pivot, translation in settings.items()
        }
    folders.try_out(site.build_folder(bitext.folder))  # last: it makes the folder
    return settings, {
        "engine": " ".join(dict.fromkeys(engine.signature.partition(" direction=")[0] for engine in engines.values())),
        "engines": {pivot: engine.signature for pivot, engine in engines.items()},
        "versions": rebuild.versions() | {"processor": device.processor(site.device)},
        "settings": bitext.model_dump(mode="json"),
    }


def check_back_here(bitext: SharedBitext, translations: Mapping[str, Translation]) -> None:
    """Refuse what `check_back` refuses, as far as that is possible without a download; all problems in one message."""
    raise_together(
        *(partial(_check_engine, translation, pivot, bitext.language) for pivot, translation in translations.items())
    )


def _check_engine(translation: Translation, pivot: str, language: str) -> None:
    if model := translation_model(translation, pivot, language):
        _check_model(model, pivot, language)


def _check_model(model: Model, pivot: str, language: str) -> None:
    """Raise SettingsError for a model that cannot be used, in a folder also for one of another direction."""
    with suppress(SourceError):  # a hub that does not answer now may answer when the build starts
        model.preview.bytes  # noqa: B018 -- is looked up
    if model.stage == "translate" and Path(model.name).is_dir():
        check_direction(open_checkpoint(model.name), pivot, language)


def raise_together(*checks: Callable[[], object]) -> None:
    """Call all checks; raise the BuildError of one, or a SettingsError with the messages of several, one per line."""
    errors: dict[str, BuildError] = {}
    for check_one in checks:
        try:
            check_one()
        except BuildError as error:
            errors |= dict.fromkeys(str(error).splitlines(), error)
    if len(set(errors.values())) == 1:
        raise next(iter(errors.values()))
    if errors:
        raise SettingsError("\n".join(errors))
