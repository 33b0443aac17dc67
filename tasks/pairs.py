"""The list of stages from bitext to judged pairs, used by builds, plans and trials."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.recipes.bisect import bisect
from bitext_pivot.filters.presentation import (
    example_score_names,
    meaning_roles,
    score_names,
    slider_data,
)
from bitext_pivot.tasks.judge import judge
from bitext_pivot.tasks.parse import parse
from bitext_pivot.tasks.run import stage_definitions
from bitext_pivot.tasks.run.loaded_models import Processing
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.tasks.score import score
from bitext_pivot.tasks.translate import translate

NAMES = ("extract", "translate", "parse", "score", "judge")


def stages(processing: Processing, site: Site) -> dict[str, Callable[[], Stage]]:
    """Return a constructor for each stage after `extract`, by name and in order.

    The worker that runs a stage calls its constructor, because this computes the signatures of the models.
    """
    parser, language, filters = processing.parser, processing.language, processing.filters
    return {
        "translate": partial(translate, processing, site),
        "parse": partial(parse, parser, language, site),
        "score": partial(score, filters, language, site),
        "judge": partial(judge, filters),
    }


def recipe(processing: Processing, settings: Settings, site: Site) -> Recipe[JudgedPair]:
    """Return the recipe of a build, which describes the rows and the card of its data set.

    The rows have the scores of the active filters, and the card's table of losses has a line per stage and filter.
    """
    active = processing.filters.active()
    bounds = slider_data(active, settings)
    published = bisect(
        score_names(active), bounds, example_score_names(active), meaning_roles(active)
    )
    made = [make() for make in stages(processing, site).values()]
    names = {"alignments": "extract", **{stage.writes: stage.name for stage in made[:-1]}}
    return replace(published, records=replace(published.records, stages=names))


def from_bitext(bitext: Bitext, processing: Processing, site: Site) -> Iterator[Stage]:
    """Yield all stages from the extraction of alignments to judged pairs."""
    yield stage_definitions.extract(bitext)
    for make in stages(processing, site).values():
        yield make()
