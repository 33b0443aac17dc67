"""The settings models of the flows: the form in the Prefect UI and the options of the command line.

They stand apart from the flows so that reading them imports neither Prefect nor a model library.
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
    """What to build: the pairs of a language out of its bitext with a pivot language."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Refuse a language without a default parser unless one is named, and unknown corpora."""
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
        """Return the bitext, the engine, the parser and the models of the filters."""
        from bitext_pivot.tasks.run.resources import Corpora, EngineResource, Filtering, Parsing

        language = self.language
        return [
            Corpora(self),
            EngineResource(self.translation, self.pivot, language),
            Parsing(self.parser, language),
            Filtering(self.filters, language),
        ]

    def stages(self, site: Site) -> Iterator[Stage]:
        """Yield the stages from bitext to divided pairs."""
        from bitext_pivot.corpus.recipe import LINKS
        from bitext_pivot.tasks import pairs
        from bitext_pivot.tasks.run import table

        processing = self.processing(site.device)
        processing = processing.calibrated(processing.engine(site).signature)
        yield from pairs.from_bitext(self, processing, site)
        yield table.hold_out(self.division, LINKS)
