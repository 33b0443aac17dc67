"""The settings model of the flow `pivot_bitext`: its form in the Prefect UI and its options on the command line.

It has a module of its own so that importing it imports neither Prefect nor a model library.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Self

from pydantic import model_validator

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.syntax.pipelines import default_pipeline
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.targets import Stage

if TYPE_CHECKING:
    from bitext_pivot.tasks.run.resources import Resource


class PivotBitext(PairForm):
    """What to build: pairs of a long sentence and its split, from bitext with a pivot language."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Raise ValueError for a language without a parser, or an unknown corpus in `division`."""
        self.division.check(
            [
                *(name.partition("/")[0] for name in self.corpora),
                *(bitext.name for bitext in self.own),
            ]
        )
        try:
            if self.parser.pipeline is None:
                default_pipeline(self.language)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return self

    def resources(self) -> Sequence["Resource"]:
        """Return what the build needs: bitext, translation engine, parser and models of the filters."""
        from bitext_pivot.tasks.run.resources import (
            BitextResource,
            EngineResource,
            FilterResource,
            ParserResource,
        )

        language = self.language
        return [
            BitextResource(self),
            EngineResource(self.translation, self.pivot, language),
            ParserResource(self.parser, language),
            FilterResource(self.filters, language),
        ]

    def stages(self, site: Site) -> Iterator[Stage]:
        """Yield all stages, from reading the bitext to assigning pairs to subsets."""
        from bitext_pivot.corpus.recipe import LINKS
        from bitext_pivot.tasks import pairs
        from bitext_pivot.tasks.run import stage_definitions

        processing = self.processing(site.device)
        processing = processing.calibrated(processing.engine(site).signature)
        yield from pairs.from_bitext(self, processing, site)
        yield stage_definitions.hold_out(self.division, LINKS)
