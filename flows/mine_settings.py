"""The settings model of the flow `mine_markers` (Discovery)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from bitext_pivot.core.site import Site
from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.mining.candidates import CandidateSettings
from bitext_pivot.discourse.mining.selection import SelectionSettings
from bitext_pivot.discourse.recipes.discovery import DiscoveryFiles
from bitext_pivot.discourse.tasks.text_forms import TextForm
from bitext_pivot.tasks.run.targets import Stage


class MineMarkers(TextForm):
    """What to build: adjacent sentences, without the discourse marker that opened the second."""

    NAME: ClassVar[str] = "discovery"

    candidates: CandidateSettings = CandidateSettings()
    """Which pairs of sentences are candidates, by their discourse marker and their length."""
    selection: SelectionSettings = SelectionSettings()
    """Which discourse markers are kept, and the number of pairs for each marker."""
    division: Division = Division()
    """Division of the documents into training, validation and test."""

    export: DiscoveryFiles = DiscoveryFiles()
    """Formats and sizes of the data set's files."""

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return functions that create the stages: parse sentences, and find candidates."""
        # Imported here because a form does not need its libraries.
        from bitext_pivot.discourse.tasks.mine import mine_stage

        return {
            **super().shard_stages(site),
            "mine": partial(mine_stage, self.candidates, self.language),
        }

    def last_stages(self) -> Sequence[Stage]:
        """Return the stage that selects the pairs of the data set from all candidates."""
        from bitext_pivot.discourse.tasks import document_stages

        return [document_stages.select_stage(self.selection)]

    def check_recipe(self) -> None:
        """Raise SettingsError if scikit-learn, which predicts the markers, is not installed."""
        self.selection.control.check()
