"""Base classes of the recipes' settings, which Prefect shows as forms. The recipes in flows/ derive from them."""

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
    """The settings of a recipe (its form in Prefect's UI), with the resources and stages that builds need."""

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
        """Return what a build needs in addition to these settings: bitext, models and servers."""

    def stages(self, site: Site) -> Iterable[Stage]:
        """Return the stages whose settings and versions are part of the signature of a build."""
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
    """Rules that assign pairs to train, validation and test."""
    export: PairExportSettings = PairExportSettings()
    """Formats and sizes of the data set's files."""

    def processing(self, device: DeviceChoice = "auto") -> "Processing":
        """Return the settings that turn alignments into pairs, with default models filled in.

        The default models depend on the language and the device. If these settings come from `check`, they name all
        models, and `device` makes no difference.
        """
        from bitext_pivot.tasks.run.loaded_models import Processing

        return Processing(
            pivot=self.pivot,
            language=self.language,
            translation=self.translation,
            parser=self.parser,
            filters=self.filters.for_language(self.language, device),
        )
