"""What stages and checks read of the forms of recipes. The forms themselves are in flows/."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.multiway import SharedBitext
from bitext_pivot.alignments.running_text import RunningText
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import Language
from bitext_pivot.core.settings import Settings
from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.explicitation.votes import Explicitation
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.syntax.pipelines import default_pipeline
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation.models import Translation


class PairForm(Bitext):
    """Bitext that becomes pairs: one side is translated, both are parsed, filters judge."""

    translation: Translation = Translation()
    """Engine and model."""
    parser: Parser = Parser()
    """The spaCy pipeline."""
    filters: Filters = Filters()
    """What a pair must pass."""
    division: Division = Division()
    """Which pairs are for validation, test and training."""


class TextForm(RunningText):
    """Documents that are parsed: what every recipe over documents has."""

    parser: Parser = Parser()
    """The spaCy pipeline."""
    division: Division = Division(validation=0.01, test=0.01)
    """Which documents are for validation, test and training; without other shares 1, 1 and 98 %."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Refuse a language without what the recipe needs, and unknown corpora in the division."""
        self.division.check([name.partition("/")[0] for name in self.names])
        try:
            self.check_recipe()
            if self.parser.pipeline is None:
                default_pipeline(self.language)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return self

    def stages(self) -> Sequence[Stage]:
        """Return the stages that the recipe alone has, in order."""
        return ()

    def check_recipe(self) -> None:
        """Raise SettingsError if the recipe cannot work with these settings: language, packages."""


class SharedForm(SharedBitext):
    """Documents that several bitexts share, and their translations back from each pivot language."""

    translation: Translation = Translation()
    """Engine and model of all pivot languages; `{pivot}` in a model's name stands for each of them."""
    explicitation: Explicitation = Explicitation()
    """Which relations count, and their labels."""
    division: Division = Division()
    """Which documents are in which set."""

    def translations(self) -> dict[str, Translation]:
        """Return the settings of the translation from each pivot language."""
        name = self.translation.model or ""
        models = {pivot: {"model": name.replace("{pivot}", pivot) or None} for pivot in self.pivots}
        return {pivot: self.translation.model_copy(update=model) for pivot, model in models.items()}


class JoinForm(Settings):
    """Finished builds of one language, of which one data set is made."""

    language: Language = "en"
    """Language of the pairs of all builds."""
    builds: list[str] = Field(default=[], title="Finished builds")
    """Data sets of `bitext-pivot build` on the build machine: fr-en, fr-en/latest, or the path of one."""
    mixed: bool = Field(default=False, title="Builds that were not made alike")
    """Join builds with different filters, parsers, engines or versions; the card lists the differences."""
    division: Division = Division()
    """Which pairs are for validation, test and training, over all builds."""

    @property
    def folder(self) -> str:
        """Folder of the data sets below the data folder."""
        return f"join-{self.language}"

    @property
    def title(self) -> str:
        """Name of what is built: `join-en: es-en, fr-en`."""
        pairs = {_pair(name) for name in self.builds} | {form.folder for form in self.forms()}
        return f"{self.folder}: {', '.join(sorted(pairs))}"

    def forms(self) -> Sequence[PairForm]:
        """Return the forms of the builds that are made first."""
        return ()


def _pair(name: str) -> str:
    """Return the name of the folder of a language pair, in which the data sets of its builds are."""
    path = Path(name)
    if path.name == "latest" or path.name.startswith("export-"):
        return path.parent.name
    return path.name
