"""`bitext-pivot unfuse`, `mine` and `explicitate`: their options are the settings of the Prefect form."""

from pathlib import Path
from typing import ClassVar

from bitext_pivot.commands.form import FromPreset, run_flow
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.unfuse_settings import UnfuseText


class Unfuse(FromPreset, UnfuseText):
    """Build sentence-fusion pairs (DiscoFuse) of documents; print the folder of the data set."""

    FORM: ClassVar[type[Settings]] = UnfuseText
    PRESETS: ClassVar[Path] = presets.FOLDER / "unfuse"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = UnfuseText(**self.form_values())
        from bitext_pivot.tasks.ahead.here import check_texts_here

        check_texts_here(settings, settings.parser, Site())
        from bitext_pivot.flows.unfuse_text import unfuse_text  # imports Prefect

        run_flow(unfuse_text, settings.title, settings)


class Mine(FromPreset, MineMarkers):
    """Build pairs of sentences with discourse markers (Discovery) of documents; print the folder of the data set."""

    FORM: ClassVar[type[Settings]] = MineMarkers
    PRESETS: ClassVar[Path] = presets.FOLDER / "mine"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = MineMarkers(**self.form_values())
        from bitext_pivot.tasks.ahead.here import check_texts_here

        check_texts_here(settings, settings.parser, Site())
        from bitext_pivot.flows.mine_markers import mine_markers  # imports Prefect

        run_flow(mine_markers, settings.title, settings)


class Explicitate(FromPreset, ExplicitateBitext):
    """Label implicit relations of neighbouring sentences (explicitation); print the folder of the data set."""

    FORM: ClassVar[type[Settings]] = ExplicitateBitext
    PRESETS: ClassVar[Path] = presets.FOLDER / "explicitate"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = ExplicitateBitext(**self.form_values())
        from bitext_pivot.tasks.ahead.here import check_back_here

        check_back_here(settings, settings.translations(), Site())
        from bitext_pivot.flows.explicitate_bitext import explicitate_bitext  # imports Prefect

        run_flow(explicitate_bitext, settings.title, settings)
