"""The settings model of `unfuse_text`."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.discourse.connectives import table
from bitext_pivot.discourse.fusion.balance import Balance
from bitext_pivot.discourse.fusion.documents import Fusion
from bitext_pivot.discourse.recipes.discofuse import FusedFiles
from bitext_pivot.discourse.tasks.forms import TextForm
from bitext_pivot.tasks.run.targets import Stage


class UnfuseText(TextForm):
    """What to build: sentences and neighbours, and the two sentences that rules make of them."""

    NAME: ClassVar[str] = "discofuse"

    fusion: Fusion = Fusion()
    """How texts are divided, and what is kept."""
    balance: Balance = Balance()
    """An additional, balanced selection."""
    export: FusedFiles = FusedFiles()
    """Formats and sizes of the files."""

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return what makes the stages that parse and divide texts."""
        from bitext_pivot.discourse.tasks.unfuse import unfuse  # imports what forms do not need

        return {**super().shard_stages(site), "unfuse": partial(unfuse, self.fusion, self.language)}

    def check_recipe(self) -> None:
        """Raise SettingsError for a language without rules, and for a coreference that it lacks."""
        if not table(self.language)["has_anaphora"] and self.fusion.coreference not in {
            None,
            "none",
        }:
            raise SettingsError(
                f"There is no coreference for {self.language!r}, but {self.fusion.coreference!r} was chosen. Expected "
                "none. Leave the setting out."
            )
