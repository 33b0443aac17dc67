"""`bitext-pivot train` and `apply`: a model of one of the papers, and its outputs for the lines of a file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import CliPositionalArg

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.commands.output import check_output
from bitext_pivot.core.reading.row_files import TABLES, WRITTEN, ColumnNames, check_columns, ending
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.storage import manifest
from bitext_pivot.flows import presets
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.metrics.evaluation_files import read_segments
from bitext_pivot.tasks.run.forms import RecipeForm

_NO_LINES = TABLES | {".tsv", ".zip"}
"""Endings of files that nobody takes for lines of text."""


class Train(RunFlow, TrainModel):
    """Train and test a model of one of the papers on a data set; print its folder."""

    FORM = TrainModel
    PRESETS = presets.FOLDER / "train"
    FLOW = "train_model"

    def beginning(self, settings: RecipeForm, site: Site) -> str:
        """Return what is trained, on which rows and where."""
        from bitext_pivot.research.tasks.training_examples import described  # imports pyarrow

        task, *_ = settings.title.partition(": ")
        rows = [described(name, site) for name in (*self.data, *self.more)]
        return f"Beginning to {task} on {', '.join(rows)}, into {site.home / settings.folder}"


class Apply(Settings):
    """Apply a trained model to the lines of a file: sentences to rewrite, or pairs with a tab between to classify."""

    folder: CliPositionalArg[Path]
    """Folder of a model, such as data/trained/split/latest."""
    file: CliPositionalArg[Path]
    """Text file in UTF-8, one sentence or one pair per line; a table has sentences in its column `long`."""
    output: Path
    """File to write, one line per line; .csv, .jsonl or .parquet: rows with `line`, `source` and `output`."""
    columns: Annotated[ColumnNames, AfterValidator(partial(check_columns, known=["long"]))] = {}
    """Name of the column of a table where it has another: long=sentence."""
    batch: int = Field(default=32, ge=1)
    """Lines in memory at once."""

    def cli_cmd(self) -> None:
        """Write the outputs and print how many there are, and what is known of the model."""
        endings: Sequence[str] = ()
        if ending(self.output) in _NO_LINES:
            endings = [".txt", *WRITTEN]
        inputs = [self.file]
        if (self.folder / manifest.NAME).is_file():
            inputs.append(self.folder)  # any other folder is refused as no model
        check_output(self.output, option="--output", endings=endings, inputs=inputs)
        from bitext_pivot.research.models.applying import apply_model, write_outputs
        from bitext_pivot.research.models.kinds import worth

        lines = read_segments(self.file, column="long", columns=self.columns)
        outputs = apply_model(self.folder, lines, self.batch)
        write_outputs(self.output, lines, outputs)
        show(f"{len(outputs):,} lines: {self.output}", wrap=False)
        show(f"The model: {worth(self.folder)}; more in {self.folder / 'README.md'}", wrap=False)
