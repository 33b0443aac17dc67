"""Check: what the form names must be loadable before anything is fetched or built."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task
from rich.filesize import decimal

from alignments import own, sources
from alignments.bitext import Bitext
from corpus import rebuild
from filters.base import Runtime
from pairs.checkpoints import device
from pairs.errors import BuildError, SettingsError, SourceError
from pairs.site import Site
from pairs.storage import folders
from tasks.models import Model, Recipe, commits, pinned
from tasks.parse import pipeline_for
from tasks.progress import in_the_log
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.checkpoint import open_checkpoint
from translation.directions import check_direction


@task(task_run_name="check sources and models", **STAGE)
def check(bitext: Bitext, recipe: Recipe, site: Site) -> dict[str, Any]:
    """Download and load all models, and return the signature of what will run.

    The signature's `settings` are those of the form with the commits of hub models in place of branches; its `models`
    has these commits by stage.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language, or cannot work, for a
    language that can be neither checked nor split if the settings require it, and if shards cannot be written.
    """
    log, language = get_run_logger(), bitext.language
    check_here(bitext, recipe, site)
    models = commits(recipe)
    for model in recipe.models:
        if size := model.preview.download:
            log.info("Downloading %s: %s", model.name, decimal(size))
    recipe, runtime = pinned(recipe), Runtime.of(site)
    filters = recipe.filters
    with in_the_log():
        engine = engine_for(recipe.translation, bitext.pivot, language, site)
        for warning in filters.load(language, runtime):
            log.warning(warning)
    for level, line in device.selected():
        log.log(level, line)
    signature = {
        "engine": engine.signature,
        "parser": pipeline_for(recipe.parser, language, site).signature,
        "filters": filters.signature(runtime),
        "bertscore": filters.advanced.bertscore.full_signature(runtime) if "bertscore" in filters.active() else None,
        "models": models,
        "versions": rebuild.versions() | {"processor": device.processor(site.device)},
        "settings": bitext.model_dump(mode="json")
        | {"translation": recipe.translation.model_dump(mode="json"), "filters": filters.model_dump(mode="json")},
    }
    folders.try_out(site.build_folder(bitext.folder))  # last: it makes the folder
    return signature


def check_here(bitext: Bitext, recipe: Recipe, site: Site) -> None:
    """Refuse what `check` refuses, as far as that is possible without a download; all problems in one message.

    Raises SettingsError with all problems, one per line.
    """
    raise_together(
        lambda: bitext.screening.check((bitext.language, bitext.pivot)),
        *(partial(sources.check, release) for release in bitext.releases()),
        *(partial(own.find, one) for one in bitext.own),
        *(partial(_check_model, model, recipe) for model in recipe.models),
        lambda: pipeline_for(recipe.parser, bitext.language, site),
    )


def _check_model(model: Model, recipe: Recipe) -> None:
    """Raise SettingsError for a model that cannot be used, in a folder also for one of another direction."""
    with suppress(SourceError):  # a hub that does not answer now may answer when the build starts
        model.preview.bytes  # noqa: B018 -- is looked up
    if model.stage == "translate" and Path(model.name).is_dir():
        check_direction(open_checkpoint(model.name), recipe.pivot, recipe.language)


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
