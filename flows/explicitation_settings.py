"""The settings model of the flow `explicitate_bitext`: its form in the UI and its options on the command line."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import AfterValidator, model_validator

from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.explicitation.senses import require_senses
from bitext_pivot.discourse.explicitation.votes import ExplicitationSettings
from bitext_pivot.discourse.reading.multiway import SharedBitext
from bitext_pivot.discourse.recipes.explicitation import ExplicitationFiles
from bitext_pivot.tasks.run.forms import RecipeForm
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation.models import Translation

if TYPE_CHECKING:
    from bitext_pivot.discourse.tasks.document_resources import EnginesResource
    from bitext_pivot.tasks.run.resources import Resource


class ExplicitateBitext(SharedBitext, RecipeForm):
    """What to build: adjacent sentences and their implicit relation, labelled by translations."""

    language: Annotated[LanguageCode, AfterValidator(require_senses)] = "en"
    """Language of the shared documents: English."""
    translation: Translation = Translation()
    """Engine and model for all pivot languages. `{pivot}` in the name of a model is replaced by each pivot language."""
    explicitation: ExplicitationSettings = ExplicitationSettings()
    """Relations to keep, and how they are labelled."""
    division: Division = Division()
    """Division of the documents into training, validation and test."""
    export: ExplicitationFiles = ExplicitationFiles()
    """Formats and sizes of the data set's files."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        """Raise ValueError if `division` names a corpus that is not among `corpora`."""
        self.division.check([name.partition("/")[0] for name in self.corpora])
        return self

    def translations(self) -> dict[str, Translation]:
        """Return the translation settings of each pivot language."""
        name = self.translation.model or ""
        models = {pivot: {"model": name.replace("{pivot}", pivot) or None} for pivot in self.pivots}
        return {pivot: self.translation.model_copy(update=model) for pivot, model in models.items()}

    @property
    def engines(self) -> "EnginesResource":
        """The translation engines, one per pivot language."""
        from bitext_pivot.discourse.tasks.document_resources import EnginesResource

        return EnginesResource(self.translations(), self.language)

    def resources(self) -> Sequence["Resource"]:
        """Return what the build needs: the bitexts and the translation engines."""
        from bitext_pivot.discourse.tasks.document_resources import SharedCorporaResource

        return [SharedCorporaResource(self), self.engines]

    def stages(self, site: Site) -> Iterator[Stage]:
        """Yield all stages, from reading bitexts to assigning rows to subsets."""
        from bitext_pivot.corpus.recipe import LINKS
        from bitext_pivot.discourse.tasks import document_stages as own
        from bitext_pivot.tasks.run import stage_definitions

        yield own.neighbours_stage(self.shard_rows)
        for make in self.shard_stages(site).values():
            yield make()
        yield stage_definitions.hold_out(self.division, LINKS)

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return, by name and in order, functions that create the stages applied to single shards.

        These stages translate and label the adjacent sentences of a shard.
        """
        from bitext_pivot.discourse.tasks.back_translate import back_translate_stage, label_stage

        rules, translations = self.explicitation, self.engines.pinned
        return {
            "translate": partial(back_translate_stage, translations, self.language, rules, site),
            "label": partial(label_stage, self.pivots, rules),
        }
