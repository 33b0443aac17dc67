"""Check: what the form names must be loadable before anything is fetched or built."""

from typing import Any

from prefect import task

from alignments import sources
from alignments.bitext import Bitext
from filters.sieve import Sieve
from pairs.parsing import Parser
from tasks.parse import pipeline_for
from tasks.stages import STAGE
from tasks.translate import engine_for
from translation.models import Translation


@task(task_run_name="check sources and models", **STAGE)
def check(bitext: Bitext, translation: Translation, parser: Parser, sieve: Sieve) -> dict[str, Any]:
    """Load the engine, the parser and the encoder, and return the signature of what will run, with all settings.

    Raises SettingsError for a model that is missing, of the wrong kind or for another language, and for a language that
    can be neither checked nor split where the settings ask for it.
    """
    language, pivot = bitext.language, bitext.pivot
    bitext.screening.check((language, pivot))
    for release in bitext.releases():
        sources.check(release)
    return {
        "engine": engine_for(translation, pivot, language).signature,
        "parser": pipeline_for(parser, language).signature,
        "filters": sieve.signature(),
        "bertscore": sieve.bertscore.full_signature() if "bertscore" in sieve.active() else None,
        "settings": bitext.model_dump(mode="json"),
    }
