"""Check: what the form names must be loadable before anything is fetched or built."""

from collections.abc import Mapping
from typing import Any, TypeVar

from prefect import get_run_logger, task
from pydantic import BaseModel
from rich.filesize import decimal

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.multiway import SharedBitext
from bitext_pivot.alignments.running_text import RunningText
from bitext_pivot.alignments.texts.documents import digest
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import device
from bitext_pivot.core.settings import local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.core.storage.locks import has_locks
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.rebuild import Card
from bitext_pivot.filters.base import Runtime
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.ahead.here import check_back_here, check_here, check_texts_here
from bitext_pivot.tasks.run.models import Processing, commits, engine_for, pinned, pinned_translation, pipeline_for
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.stages import STAGE
from bitext_pivot.translation.models import Translation

BitextForm = TypeVar("BitextForm", bound=Bitext)
TextForm = TypeVar("TextForm", bound=RunningText)


@task(task_run_name="check sources and models", **STAGE)
def check(form: BitextForm, from_card: str, site: Site) -> tuple[BitextForm, dict[str, Any]]:
    """Download and load all models, and return the settings of a build and the signature of what will run.

    The settings are those of the form, or of the card at the address `from_card`, with releases in place of `latest`
    and the commits of hub models in place of branches. The signature's `sources` are those of the card, for
    `fetch_sources` to compare, and empty without one; the export replaces them.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language, or cannot work, for a
    language that cannot be split into sentences if that is needed, if shards cannot be written, and, one line per
    difference, if something is not as in the card: versions and local files first, then models.
    """
    card = Card.at(from_card)
    settings = card.settings(form).pinned(site)
    name_files(settings)
    check_here(settings, site)
    here = {"versions": versions(site), "files": files(settings)}
    card.compare(here)
    processing = Processing.of(settings)
    for model in processing.models:
        if size := model.preview.download:
            get_run_logger().info("Downloading %s: %s", model.name, decimal(size))
    models, processing = commits(processing), pinned(processing)
    settings = settings.model_copy(update={"translation": processing.translation, "filters": processing.filters})
    signature = {
        **_loaded(processing, site),
        "models": models,
        **here,
        "settings": settings.model_dump(mode="json"),
    }
    card.compare(signature)
    _try_out(site, settings.folder)  # last: it makes the folder
    return settings, signature | {"sources": card.signature.get("sources", {})}


def _loaded(processing: Processing, site: Site) -> dict[str, Any]:
    """Load all models and return their signatures."""
    log, runtime, filters = get_run_logger(), Runtime.of(site), processing.filters
    with in_the_log():
        engine = engine_for(processing.translation, processing.pivot, processing.language, site)
        for warning in filters.load(processing.language, runtime):
            log.warning(warning)
    for level, line in device.selected():
        log.log(level, line)
    return {
        "engine": engine.signature,
        "parser": pipeline_for(processing.parser, processing.language, site).signature,
        "filters": filters.signature(runtime),
        "bertscore": filters.advanced.bertscore.full_signature(runtime) if "bertscore" in filters.active() else None,
    }


def _try_out(site: Site, name: str) -> None:
    """Refuse a folder of builds that cannot be written, and warn once of a data folder without locks."""
    folders.try_out(site.build_folder(name))
    if not has_locks(site.home):
        get_run_logger().warning(
            "%s has no file locks (NFS or Lustre mounted without them): two runs may build the same shard twice, and "
            "finished translations are kept on this machine, in %s. Mount it with locks to share them.",
            site.home, site.store_folder,
        )  # fmt: skip


def versions(site: Site) -> dict[str, str]:
    """Return the versions of Python and of packages that write files, and the processor."""
    return rebuild.versions() | {"processor": device.processor(site.device)}


def name_files(settings: BaseModel) -> None:
    """Log which files of this machine a build will read: a preset or a card of somebody else may name private ones."""
    if paths := local_files(settings):
        get_run_logger().info("Files of this machine that the settings name: %s", ", ".join(map(str, paths)))


def files(settings: BaseModel) -> dict[str, str]:
    """Return the SHA-256 of each file or folder that settings name, by path. Raises SettingsError if one is unreadable.

    They are in the card, and compared by `--from-card`.
    """
    try:
        return {str(path): digest(path) for path in local_files(settings)}
    except OSError as error:
        raise SettingsError(f"{error.filename} cannot be read ({error.strerror}). Name a file that can be.") from error


@task(task_run_name="check documents and models", **STAGE)
def check_texts(form: TextForm, parser: Parser, site: Site) -> tuple[TextForm, dict[str, Any]]:
    """Load the parser, and return the settings of a build and the signature of what will run.

    Raises SettingsError with all problems, and if shards cannot be written.
    """
    name_files(form)
    check_texts_here(form, parser, site)
    _try_out(site, form.language)  # last: it makes the folder
    return form, {
        "parser": pipeline_for(parser, form.language, site).signature,
        "versions": rebuild.versions(),
        "files": files(form),
        "settings": form.model_dump(mode="json"),
    }


@task(task_run_name="check models", **STAGE)
def check_back(
    bitext: SharedBitext, translations: Mapping[str, Translation], site: Site
) -> tuple[dict[str, Translation], dict[str, Any]]:
    """Download and load the models of all pivots; return their settings with commits, and the signature of the build.

    Raises as `check`.
    """
    name_files(bitext)
    check_back_here(bitext, translations, site)
    settings = {
        pivot: pinned_translation(translation, pivot, bitext.language) for pivot, translation in translations.items()
    }
    with in_the_log():
        engines = {
            pivot: engine_for(translation, pivot, bitext.language, site) for pivot, translation in settings.items()
        }
    _try_out(site, bitext.folder)  # last: it makes the folder
    return settings, {
        "engine": " ".join(dict.fromkeys(engine.signature.partition(" direction=")[0] for engine in engines.values())),
        "engines": {pivot: engine.signature for pivot, engine in engines.items()},
        "versions": versions(site),
        "files": files(bitext),
        "settings": bitext.model_dump(mode="json"),
    }
