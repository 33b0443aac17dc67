"""Check: what the form names must be loadable before anything is fetched or built."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from prefect import get_run_logger, task

from alignments import sources
from alignments.bitext import Bitext, refused_together
from filters.sieve import Sieve
from pairs import folders
from pairs.categories import Categories
from pairs.errors import SettingsError
from pairs.languages import Language
from pairs.parsing import Parser, default_pipeline
from pairs.site import Site
from tasks import models
from tasks.parse import pipeline_for
from tasks.progress import on_the_run_page
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.checkpoint import open_checkpoint
from translation.directions import check_direction, pivots_into
from translation.models import Translation


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The form but for the bitext: what is made of alignments."""

    translation: Translation
    parser: Parser
    sieve: Sieve
    categories: Categories


def refused_in_the_form(schema: dict[str, Any]) -> None:
    """Add to the schema of a form what `check` would refuse and what is known without opening a model.

    Without a model of its own a build needs a direction that translation/models.toml knows, and without a pipeline of
    its own a language that pairs/parsing.toml knows.
    """
    languages = list(get_args(Language))
    no_model = {"engine": {"enum": ["marian", "marian-transformers"]}, "model": {"type": "null"}}
    own_model = "any other language, with a model named under Translation"
    own_pipeline = "any other language, with a pipeline named under Parser"
    by_default = Bitext.model_fields["language"].default  # where a request says nothing
    directions = [
        {
            "if": {
                "properties": {"language": {"const": language}, "pivot": {"enum": languages}},
                "required": [] if language == by_default else ["language"],
            },
            "then": {"properties": {"pivot": {"enum": [*pivots_into(language), language, own_model]}}},
        }
        for language in languages
    ]
    refused = refused_together()
    refused["pivot"]["allOf"].append(_if_part("translation", no_model) | {"then": {"allOf": directions}})
    unparsed = {"enum": [language for language in languages if not _has_pipeline(language)]}
    parsed = [*(language for language in languages if _has_pipeline(language)), own_pipeline]
    told = {"properties": {"language": {"if": unparsed, "then": {"enum": parsed}}}}
    refused["language"] = _if_part("parser", {"pipeline": {"type": "null"}}) | {"then": told}
    schema["dependentSchemas"] = refused


def _has_pipeline(language: str) -> bool:
    try:
        default_pipeline(language)
    except SettingsError:
        return False
    return True


def _if_part(group: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the condition that a group has such fields, or does not have them at all."""
    return {"if": {"properties": {group: {"properties": fields}}}}


@task(task_run_name="check sources and models", **STAGE)
def check(bitext: Bitext, translation: Translation, parser: Parser, sieve: Sieve) -> dict[str, Any]:
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
    with on_the_run_page(is_logged=True):
        engine, pipeline = engine_for(translation, pivot, language), pipeline_for(parser, language)
        for warning in filter(None, [one.load(language) for one in sieve.active().values()]):
            get_run_logger().warning(warning)
    signature = {
        "engine": engine.signature,
        "parser": pipeline.signature,
        "filters": sieve.signature(),
        "bertscore": sieve.bertscore.full_signature() if "bertscore" in sieve.active() else None,
        "models": models.commits(translation, sieve, pivot, language),
        "settings": bitext.model_dump(mode="json")
        | {"translation": translation.model_dump(mode="json"), "sieve": sieve.model_dump(mode="json")},
    }
    folders.try_out(Site().build_folder(bitext.folder))  # last: it makes the folder
    return signature


def check_here(bitext: Bitext, recipe: Recipe) -> None:
    """Refuse what `check` refuses, as far as it is known without a download; all problems in one message.

    Raises SettingsError.
    """
    _check_bitext(bitext)
    language, pivot = bitext.language, bitext.pivot
    found = models.problems(recipe.translation, recipe.parser, recipe.sieve, pivot, language)
    model = recipe.translation.model
    if model is not None and Path(model).is_dir() and not found:
        check_direction(open_checkpoint(model), pivot, language)
    if found:
        raise SettingsError("\n".join(found))


def _check_bitext(bitext: Bitext) -> None:
    bitext.screening.check((bitext.language, bitext.pivot))
    for release in bitext.releases():
        sources.check(release)
