"""The settings model of the flow `unfuse_text` (DiscoFuse)."""

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
    """What to build: texts and the two sentences that rules derive from them (DiscoFuse)."""

    NAME: ClassVar[str] = "discofuse"

    fusion: FusionSettings = FusionSettings()
    """Rules that divide a text into two sentences, and which results are kept."""
    balance: BalanceSettings = BalanceSettings()
    """An additional selection of rows, in which no discourse phenomenon is too frequent."""
    export: FusedFiles = FusedFiles()
    """Formats and sizes of the data set's files."""

    def shard_stages(self, site: Site) -> dict[str, Callable[[], Stage]]:
        """Return functions that create the stages: parse sentences, and apply the rules."""
        # Imported here because a form does not need the rules.
        from bitext_pivot.discourse.tasks.unfuse import unfuse_stage

        return {
            **super().shard_stages(site),
            "unfuse": partial(unfuse_stage, self.fusion, self.language),
        }

    def check_recipe(self) -> None:
        """Raise SettingsError for a language without rules, or without coreference resolution."""
        if not word_lists(self.language)["has_anaphora"] and self.fusion.coreference not in {
            None,
            "none",
        }:
            raise SettingsError(
                f"fusion.coreference is {self.fusion.coreference!r}, but there is no coreference resolution for the "
                f"language {self.language!r}. Leave the setting out, or set it to none."
            )
