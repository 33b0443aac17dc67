"""What the settings models of the flows over documents share, apart from the flows as `flows/settings.py` is."""

from typing import Self

from pydantic import model_validator

from bitext_pivot.alignments.running_text import RunningText
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.corpus.division import Division
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.syntax.pipelines import default_pipeline


class TextRecipe(RunningText):
    """What every recipe over documents has."""

    parser: Parser = Parser()
    """The spaCy pipeline."""
    division: Division = Division(validation=0.01, test=0.01)
    """Which documents are for validation, test and training; without other shares 1, 1 and 98 %."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Refuse a language without a parser or what the recipe needs, and unknown corpora in the division."""
        self.division.check([name.partition("/")[0] for name in self.names])
        try:
            self.check_recipe()
            if self.parser.pipeline is None:
                default_pipeline(self.language)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return self

    def check_recipe(self) -> None:
        """Raise SettingsError if the recipe cannot work with these settings: language, packages."""
