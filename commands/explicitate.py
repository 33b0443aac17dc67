"""`bitext-pivot explicitate`: its options are the settings of the Prefect form."""

from pathlib import Path
from typing import ClassVar

from commands.form import FromPreset, run_flow
from flows.explicitation_settings import ExplicitateBitext
from pairs import presets


class Explicitate(FromPreset, ExplicitateBitext):
    """Label implicit relations of neighbouring sentences (explicitation); print the folder of the data set."""

    PRESETS: ClassVar[Path] = presets.FOLDER / "explicitate"

    def cli_cmd(self) -> None:
        """Run the flow."""
        settings = ExplicitateBitext(**self.model_dump(exclude={"preset"}))
        from flows.explicitate_bitext import explicitate_bitext
        from tasks.check import check_back_here

        check_back_here(settings, settings.translations())
        run_flow(explicitate_bitext, settings)
