"""Check: what the form names must be loadable before anything is fetched or built."""

from typing import Any

from prefect import task

from filters.sieve import Sieve
from pairs.parsing import Parser
from tasks.parse import pipeline_for
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.models import Translation


@task(task_run_name="check models", **STAGE)
def check(language: str, pivot: str, translation: Translation, parser: Parser, sieve: Sieve) -> dict[str, Any]:
    """Load the engine, the parser and the encoder, and return the signature of what will run.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language.
    """
    return {
        "engine": engine_for(translation, pivot, language).signature,
        "parser": pipeline_for(parser, language).signature,
        "filters": sieve.signature(),
    }
