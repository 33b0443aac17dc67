"""The settings model of the flow of Discovery, apart from the flow as those of `flows/pivot_settings.py`."""

from collections.abc import Sequence
from typing import ClassVar

from bitext_pivot.corpus.division import Division
from bitext_pivot.discourse.mining.candidates import Candidates
from bitext_pivot.discourse.mining.selection import Selection
from bitext_pivot.discourse.recipes.discovery import DiscoveryFiles
from bitext_pivot.discourse.tasks.forms import TextForm
from bitext_pivot.tasks.run.targets import Stage


class MineMarkers(TextForm):
    """What to build: adjacent sentences, the second of which has lost the discourse marker that opened it."""

    NAME: ClassVar[str] = "discovery"

    candidates: Candidates = Candidates()
    """Which sentences have a marker, and which are fit."""
    selection: Selection = Selection()
    """Which markers are used, and how many pairs of each."""
    division: Division = Division()
    """Which documents are for validation, test and training."""

    export: DiscoveryFiles = DiscoveryFiles()
    """Formats and sizes of the data set's files."""

    def recipe_stages(self) -> Sequence[Stage]:
        """Return the stages that find candidates, and draw pairs of them."""
        from bitext_pivot.discourse.tasks import table  # imports what forms do not need

        return [
            table.mine(self.candidates, self.language),
            table.select(self.selection, self.division),
        ]

    def check_recipe(self) -> None:
        """Raise SettingsError if the model of the control is not installed; no list of connectives is needed."""
        self.selection.control.check()
