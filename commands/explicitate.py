"""`bitext-pivot explicitate`: its options are the settings of the Prefect form."""

from pathlib import Path
from typing import ClassVar

from commands.form import FromPreset, show_data_set
from flows.explicitation_settings import ExplicitateBitext
from pairs import presets, tracebacks


class Explicitate(FromPreset, ExplicitateBitext):
    """Label implicit relations of neighbouring sentences (explicitation); print the folder of the data set."""

    PRESETS: ClassVar[Path] = presets.FOLDER / "explicitate"

    def cli_cmd(self) -> None:
        """Run the flow with a Prefect server of its own unless PREFECT_API_URL names one."""
        settings = ExplicitateBitext(**self.model_dump(exclude={"preset"}))
        from flows.explicitate_bitext import explicitate_bitext
        from tasks.check import check_back_here

        check_back_here(settings, settings.translations())
        with tracebacks.left_out():
            folder = explicitate_bitext(settings)
        show_data_set(folder)
