"""The settings model of `unfuse_text`."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.discourse.connectives import word_lists
from bitext_pivot.discourse.fusion.balance import BalanceSettings
from bitext_pivot.discourse.fusion.fused_documents import FusionSettings
from bitext_pivot.discourse.recipes.discofuse import FusedFiles
from bitext_pivot.discourse.tasks.text_forms import TextForm
from bitext_pivot.tasks.run.targets import Stage


class UnfuseText(TextForm):
    """What to build: sentences and neighbours, and the two sentences that rules make of them."""

    NAME: ClassVar[str] = "discofuse"

    fusion: FusionSettings = FusionSettings()
    """How texts are divided, and what is kept."""
    balance: BalanceSettings = BalanceSettings()
    """An additional, balanced selection."""
    export: FusedFiles = FusedFiles()
    """Formats and sizes of the files."""

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return what makes the stages that parse and divide texts."""
        # imported here because a form does not need the rules
        from bitext_pivot.discourse.tasks.unfuse import unfuse_stage

        return {
            **super().shard_stages(site),
            "unfuse": partial(unfuse_stage, self.fusion, self.language),
        }

    def check_recipe(self) -> None:
        """Raise SettingsError for a language without rules, and for a coreference that it lacks."""
        if not word_lists(self.language)["has_anaphora"] and self.fusion.coreference not in {
            None,
            "none",
        }:
            raise SettingsError(
                f"There is no coreference for {self.language!r}, but {self.fusion.coreference!r} was chosen. Expected "
                "none. Leave the setting out."
            )
