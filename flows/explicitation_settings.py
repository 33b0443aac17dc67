"""The settings model of `explicitate_bitext`, apart from the flow as those of `flows/pivot_settings.py`."""

from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from bitext_pivot.core.languages import Language
from bitext_pivot.discourse.explicitation.senses import with_senses
from bitext_pivot.discourse.recipes.explicitation import ExplicitationFiles
from bitext_pivot.discourse.tasks.forms import SharedForm


class ExplicitateBitext(SharedForm):
    """What to build: neighbouring sentences whose relation is implicit, labelled through their translations."""

    language: Annotated[Language, AfterValidator(with_senses)] = "en"
    """Language of the shared documents: English."""
    export: ExplicitationFiles = ExplicitationFiles()
    """Formats and sizes of the data set's files."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Refuse corpora in the division that are not read."""
        self.division.check([name.partition("/")[0] for name in self.corpora])
        return self
