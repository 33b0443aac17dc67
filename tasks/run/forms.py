"""What stages and checks read of the forms of recipes. The forms themselves are in flows/."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.core.hub.device import DeviceChoice
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation.models import Translation

if TYPE_CHECKING:
    from bitext_pivot.tasks.run.models import Processing
    from bitext_pivot.tasks.run.resources import Resource


class RecipeForm(Settings):
    """The form of a recipe: where its builds lie, what they need, and their stages."""

    @property
    @abstractmethod
    def folder(self) -> str:
        """Name of the folder of builds below the data folder."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Name of what is built."""

    @abstractmethod
    def resources(self) -> Sequence["Resource"]:
        """Return what a build needs besides these settings."""

    def stages(self, site: Site) -> Iterable[Stage]:
        """Return the stages, whose keys decide the rows; none for a recipe whose builds always begin."""
        return ()


class PairForm(Bitext, RecipeForm):
    """Bitext that becomes pairs: one side is translated, both are parsed, filters judge."""

    translation: Translation = Translation()
    """Engine and model."""
    parser: Parser = Parser()
    """The spaCy pipeline."""
    filters: Filters = Filters()
    """What a pair must pass."""
    division: Division = Division()
    """Which pairs are for validation, test and training."""
    export: PairExportSettings = PairExportSettings()
    """Formats and sizes of the data set's files."""

    def processing(self, device: DeviceChoice = "auto") -> "Processing":
        """Return how alignments become pairs, with the models for the language and a device.

        The device is read where no model is named: the settings that `check` returns name all of them.
        """
        from bitext_pivot.tasks.run.models import Processing

        return Processing(
            pivot=self.pivot,
            language=self.language,
            translation=self.translation,
            parser=self.parser,
            filters=self.filters.for_language(self.language, device),
        )
