"""`bitext-pivot mine`: its options are the settings of the Prefect form."""

from pathlib import Path
from typing import ClassVar

from commands.form import FromPreset, run_flow
from flows.mine_settings import MineMarkers
from pairs import presets
from pairs.site import Site


class Mine(FromPreset, MineMarkers):
    """Build pairs of sentences with discourse markers (Discovery) of documents; print the folder of the data set."""

    PRESETS: ClassVar[Path] = presets.FOLDER / "mine"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = MineMarkers(**self.model_dump(exclude={"preset"}))
        from flows.mine_markers import mine_markers
        from tasks.check import check_texts_here

        check_texts_here(settings, settings.parser, Site())
        run_flow(mine_markers, settings)
