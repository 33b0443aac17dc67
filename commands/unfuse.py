"""`bitext-pivot unfuse`: its options are the settings of the Prefect form."""

from pathlib import Path
from typing import ClassVar

from commands.form import FromPreset, run_flow
from flows.unfuse_settings import UnfuseText
from pairs import presets
from pairs.site import Site


class Unfuse(FromPreset, UnfuseText):
    """Build sentence-fusion pairs (DiscoFuse) of documents; print the folder of the data set."""

    PRESETS: ClassVar[Path] = presets.FOLDER / "unfuse"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = UnfuseText(**self.model_dump(exclude={"preset"}))
        from flows.unfuse_text import unfuse_text
        from tasks.check import check_texts_here

        check_texts_here(settings, settings.parser, Site())
        run_flow(unfuse_text, settings)
