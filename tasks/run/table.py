"""The stages of the recipes, each with the parts of its key: what decides its output, besides its input.

Nothing here imports Prefect: whether a build was finished before is asked of the same parts.
"""

from collections.abc import Iterator
from typing import Any

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.core.site import Site
from bitext_pivot.corpus import assignment, joining
from bitext_pivot.corpus.division import Division
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.language import data_signature
from bitext_pivot.syntax.labelling import categories
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.run.models import Processing, engine_of, parser_signature
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation import cached


def of_pairs(bitext: Bitext, processing: Processing, site: Site) -> Iterator[Stage]:
    """Yield the stages from bitext to judged pairs.

    The signatures of models enter the keys from `translate` on, and are made when such a stage is asked for.
    """
    yield extract(bitext)
    yield translate(processing, site)
    yield parse(processing.parser, processing.language, site)
    yield score(processing.filters, processing.language, Runtime.of(site))
    yield judge(processing.filters)


def extract(bitext: Bitext) -> Stage:
    """Return the stage from a corpus to alignments."""
    screening = bitext.screening
    parts = {
        "extraction": bitext.extraction,
        "screening": screening,
        "screening rules": screening.signature(bitext.pivot, bitext.language),
        "shard_rows": bitext.shard_rows,
    }
    return Stage("extract", "alignments", parts)


def translate(processing: Processing, site: Site) -> Stage:
    """Return the stage from alignments to pairs in one language."""
    runtime = Runtime.of(site)
    parts: dict[str, Any] = {
        "language": processing.language,
        "engine": engine_of(processing, site).signature,
        "version of stored translations": cached.VERSION,
    }
    for name, filter_ in processing.filters.screening().items():
        parts[f"screening by {name}"] = filter_.screening(runtime)
    return Stage("translate", "pairs", parts)


def parse(parser: Parser, language: str, site: Site) -> Stage:
    """Return the stage that parses pairs or sentences."""
    return Stage("parse", "parsed", {"parser": parser_signature(parser, language, site)})


def score(filters: Filters, language: str, runtime: Runtime) -> Stage:
    """Return the stage that scores parsed pairs."""
    parts = {
        "filters": filters.scoring_key(),
        "computed by": filters.signature(runtime),
        "data of the language": data_signature(language),
    }
    return Stage("score", "scored", parts)


def judge(filters: Filters) -> Stage:
    """Return the stage that judges and labels scored pairs."""
    parts = {"thresholds": filters.thresholds(), "version of the labels": categories.VERSION}
    return Stage("judge", "judged", parts)


DIVIDE = Stage("divide", "divided", {})
"""The stage that divides a shard, given the texts of validation and test."""


def hold_out(division: Division, positions: str) -> Stage:
    """Return the stage that finds the texts of validation and test; `positions` as in `Records`."""
    parts = {
        "division": division,
        "files": division.files(),
        "version of the division": assignment.VERSION,
        "positions": positions,
    }
    return Stage("hold out", "held-out", parts)


def join() -> Stage:
    """Return the stage that finds equal pairs of several builds."""
    return Stage("join", "joined", {"version of the join": joining.VERSION})
