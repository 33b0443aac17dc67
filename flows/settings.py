"""The settings models of the flows: the form in the Prefect UI and the options of the command line.

They stand apart from the flows so that reading them imports neither Prefect nor a model library (decision 0020).
"""

from pydantic import Field

from alignments.bitext import Bitext
from filters.sieve import Sieve
from pairs.categories import Categories
from pairs.parsing import Parser
from tasks.form import refused_in_the_form
from translation.models import Translation


class PivotBitext(Bitext, json_schema_extra=refused_in_the_form):
    """What to build: the pairs of a language out of its bitext with a pivot language."""

    translation: Translation = Field(default=Translation(), description="Engine and model.")
    parser: Parser = Field(default=Parser(), description="The spaCy pipeline.")
    sieve: Sieve = Field(default=Sieve(), title="Filters", description="What a pair must pass.")
    categories: Categories = Field(default=Categories(), description="Rules that label a pair.")
