"""`bitext-pivot train` and `apply`: train a model, and apply it to the lines of a file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import CliPositionalArg

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.commands.output import check_output
from bitext_pivot.core import text_files
from bitext_pivot.core.reading.column_names import ColumnNames, check_columns
from bitext_pivot.core.reading.row_files import OUTPUT_EXTENSIONS, TABLE_EXTENSIONS
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.storage import manifest
from bitext_pivot.flows import presets
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.research.metrics.evaluation_files import read_segments
from bitext_pivot.tasks.run.forms import RecipeForm

_NO_LINES = TABLE_EXTENSIONS | {".tsv", ".zip"}
"""File extensions that do not suggest plain lines of text."""


class Train(RunFlow, TrainModel):
    """Train and test a model, for example to split sentences, and print the folder of the model."""

    FORM = TrainModel
    PRESETS = presets.FOLDER / "train"
    FLOW = "train_model"

    def beginning(self, settings: RecipeForm, site: Site) -> str:
        """Return the first log line: the task, the training data and the folder of the model."""
        from bitext_pivot.research.tasks.training_examples import (
            describe,  # slow: it imports pyarrow
        )

        task, *_ = settings.title.partition(": ")
        rows = [describe(name, site) for name in (*self.data, *self.more)]
        return f"Beginning to {task} on {', '.join(rows)}, into {site.home / settings.folder}"


class Apply(Settings):
    """Apply a trained model to the lines of a file: sentences to rewrite, or tab-separated pairs to classify."""

    folder: CliPositionalArg[Path]
    """Folder of a trained model, such as data/trained/split/latest."""
    file: CliPositionalArg[Path]
    """Text file in UTF-8 with one sentence or one pair per line, or a table with the sentences in its column
    `long`."""
    output: Path
    """File to write: one output per input line, or, with the extension .csv, .jsonl or .parquet, rows with `line`,
    `source` and `output`."""
    columns: Annotated[ColumnNames, AfterValidator(partial(check_columns, known=["long"]))] = {}
    """The name that the table uses for the column `long`: long=sentence."""
    batch: int = Field(default=32, ge=1)
    """Batch size: number of lines in memory at once."""

    def cli_cmd(self) -> None:
        """Write the outputs, and print the number of outputs and the score of the model."""
        endings: Sequence[str] = ()
        if text_files.extension(self.output) in _NO_LINES:
            endings = [".txt", *OUTPUT_EXTENSIONS]
        inputs = [self.file]
        if (self.folder / manifest.NAME).is_file():
            # Any other folder is refused later, because it is not a model.
            inputs.append(self.folder)
        check_output(self.output, option="--output", endings=endings, inputs=inputs)
        from bitext_pivot.research.models.applying import apply_model, write_outputs
        from bitext_pivot.research.models.kinds import main_score

        lines = read_segments(self.file, column="long", columns=self.columns)
        outputs = apply_model(self.folder, lines, self.batch)
        write_outputs(self.output, lines, outputs)
        show(f"{len(outputs):,} lines: {self.output}", wrap=False)
        show(
            f"The model: {main_score(self.folder)}; more in {self.folder / 'README.md'}", wrap=False
        )
