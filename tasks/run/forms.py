"""Base classes of the recipes' forms: the settings that stages and checks read. The forms are defined in flows/."""

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
    from bitext_pivot.tasks.run.loaded_models import Processing
    from bitext_pivot.tasks.run.resources import Resource


class RecipeForm(Settings):
    """The form of a recipe: its settings, the folder of its builds, the resources they need, and their stages."""

    @property
    @abstractmethod
    def folder(self) -> str:
        """Name of the folder of builds in the data folder, such as `fr-en`."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Title of the data set or model, such as `fr-en: Europarl/v8`."""

    @abstractmethod
    def resources(self) -> Sequence["Resource"]:
        """Return everything that a build needs in addition to these settings: bitext, models, servers."""

    def stages(self, site: Site) -> Iterable[Stage]:
        """Return the stages whose keys are part of the signature of a build."""
        return ()


class PairForm(Bitext, RecipeForm):
    """Settings of a recipe that makes pairs from bitext: translation, parser, filters, division, export."""

    translation: Translation = Translation()
    """Engine and model."""
    parser: Parser = Parser()
    """The spaCy pipeline."""
    filters: Filters = Filters()
    """The filters that a pair must pass."""
    division: Division = Division()
    """The assignment of pairs to train, validation and test."""
    export: PairExportSettings = PairExportSettings()
    """Formats and sizes of the data set's files."""

    def processing(self, device: DeviceChoice = "auto") -> "Processing":
        """Return the settings that turn alignments into pairs, with the default models of the filters filled in.

        The default models depend on the language and the device. The settings that `check` returns name all models, so
        `device` makes no difference for them.
        """
        from bitext_pivot.tasks.run.loaded_models import Processing

        return Processing(
            pivot=self.pivot,
            language=self.language,
            translation=self.translation,
            parser=self.parser,
            filters=self.filters.for_language(self.language, device),
        )
