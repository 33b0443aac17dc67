"""The settings model of the flow of Discovery, apart from the flow as those of `flows/pivot_settings.py`."""

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
    """What to build: adjacent sentences, the second of which has lost the discourse marker that opened it."""

    NAME: ClassVar[str] = "discovery"

    candidates: CandidateSettings = CandidateSettings()
    """Which sentences have a marker, and which are fit."""
    selection: SelectionSettings = SelectionSettings()
    """Which markers are used, and how many pairs of each."""
    division: Division = Division()
    """Which documents are for validation, test and training."""

    export: DiscoveryFiles = DiscoveryFiles()
    """Formats and sizes of the data set's files."""

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return what makes the stages that parse sentences and find candidates."""
        from bitext_pivot.discourse.tasks.mine import mine_stage  # imports what forms do not need

        return {
            **super().shard_stages(site),
            "mine": partial(mine_stage, self.candidates, self.language),
        }

    def last_stages(self) -> Sequence[Stage]:
        """Return the stage that draws pairs of all candidates."""
        from bitext_pivot.discourse.tasks import document_stages

        return [document_stages.select_stage(self.selection)]

    def check_recipe(self) -> None:
        """Raise SettingsError if the model of the control is not installed; no list of connectives is needed."""
        self.selection.control.check()
