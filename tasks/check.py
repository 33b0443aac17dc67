"""Check: what the form names must be loadable before anything is fetched or built."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

from prefect import get_run_logger, task

from alignments import own, sources
from alignments.bitext import Bitext
from filters.base import Runtime
from filters.sieve import Sieve
from pairs.checkpoints import device
from pairs.errors import BuildError, SettingsError
from pairs.labelling.categories import Categories
from pairs.site import Site
from pairs.storage import folders
from pairs.syntax import parsing
from pairs.syntax.parsing import Parser
from tasks import models
from tasks.parse import pipeline_for
from tasks.progress import on_the_run_page
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.checkpoint import open_checkpoint
from translation.directions import check_direction
from translation.models import Translation


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The form but for the bitext: what is made of alignments."""

    translation: Translation
    parser: Parser
    sieve: Sieve
    categories: Categories

    @classmethod
    def of(cls, form: Any) -> Self:
        """Return the recipe in a form with these four groups."""
        return cls(translation=form.translation, parser=form.parser, sieve=form.sieve, categories=form.categories)


@task(task_run_name="check sources and models", **STAGE)
def check(bitext: Bitext, translation: Translation, parser: Parser, sieve: Sieve, site: Site) -> dict[str, Any]:
    """Download and load all models, and return the signature of what will run.

    The signature's `settings` are those of the form with the commits of hub models in place of branches; its `models`
    has these commits by stage.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language, or cannot work, for a
    language that can be neither checked nor split where the settings ask for it, and when shards cannot be written.
    """
    language, pivot = bitext.language, bitext.pivot
    _check_bitext(bitext)
    translation, sieve = models.pinned(translation, sieve, pivot, language)
    for line in models.downloads(translation, sieve, pivot, language):
        get_run_logger().info(line)
    runtime = Runtime.of(site)
    with on_the_run_page(is_logged=True):
        engine, pipeline = engine_for(translation, pivot, language, site), pipeline_for(parser, language, site)
        for warning in sieve.load(language, runtime):
            get_run_logger().warning(warning)
    for level, line in device.selected():
        get_run_logger().log(level, line)
    signature = {
        "engine": engine.signature,
        "parser": pipeline.signature,
        "filters": sieve.signature(runtime),
        "bertscore": sieve.advanced.bertscore.full_signature(runtime) if "bertscore" in sieve.active() else None,
        "models": models.commits(translation, sieve, pivot, language),
        "settings": bitext.model_dump(mode="json")
        | {"translation": translation.model_dump(mode="json"), "sieve": sieve.model_dump(mode="json")},
    }
    folders.try_out(site.build_folder(bitext.folder))  # last: it makes the folder
    return signature


def check_here(bitext: Bitext, recipe: Recipe, site: Site) -> None:
    """Refuse what `check` refuses, as far as it is known without a download; all problems in one message.

    Raises SettingsError with all problems, one per line.
    """
    raise_together(
        lambda: bitext.screening.check((bitext.language, bitext.pivot)),
        *(partial(sources.check, release) for release in bitext.releases()),
        *(partial(own.find, one) for one in bitext.own),
        lambda: _check_models(bitext, recipe, site),
        lambda: _check_folder(bitext, recipe.translation.model),
    )


def raise_together(*checks: Callable[[], object]) -> None:
    """Call all checks; raise the BuildError of one, or a SettingsError with the messages of several, one per line."""
    errors: dict[str, BuildError] = {}
    for one in checks:
        try:
            one()
        except BuildError as error:
            errors |= dict.fromkeys(str(error).splitlines(), error)
    if len(set(errors.values())) == 1:
        raise next(iter(errors.values()))
    if errors:
        raise SettingsError("\n".join(errors))


def _check_models(bitext: Bitext, recipe: Recipe, site: Site) -> None:
    found = models.problems(recipe.translation, recipe.sieve, bitext.pivot, bitext.language)
    try:
        parsing.load(recipe.parser, bitext.language, site.device)
    except SettingsError as error:
        found += [str(error)]
    if found:
        raise SettingsError("\n".join(found))


def _check_folder(bitext: Bitext, model: str | None) -> None:
    """Refuse a folder that holds no model for the direction; a model of the hub is checked when it is downloaded."""
    if model is not None and Path(model).is_dir():
        check_direction(open_checkpoint(model), bitext.pivot, bitext.language)


def _check_bitext(bitext: Bitext) -> None:
    bitext.screening.check((bitext.language, bitext.pivot))
    for release in bitext.releases():
        sources.check(release)
