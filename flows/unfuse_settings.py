"""The settings model of `unfuse_text`."""

from typing import ClassVar

from pydantic import Field

from corpus.recipes.discofuse import FusedFiles
from discourse.connectives import phrases
from discourse.fusion.balance import Balance
from discourse.fusion.documents import Fusion
from flows.text_settings import TextRecipe


class UnfuseText(TextRecipe):
    """What to build: sentences and neighbours, and the two sentences that rules make of them."""

    NAME: ClassVar[str] = "discofuse"

    fusion: Fusion = Field(default=Fusion(), title="Fusion", description="How texts are divided, and what is kept.")
    balance: Balance = Field(default=Balance(), title="Balance", description="An additional, balanced selection.")
    export: FusedFiles = Field(default=FusedFiles(), title="Export", description="Formats and sizes of the files.")

    def check_language(self) -> None:
        """Raise SettingsError for a language without rules, and for a coreference that is not installed."""
        phrases(self.language, "backward")
        self.fusion.check()
