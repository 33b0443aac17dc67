"""Apply a trained model to lines of text: sentences to rewrite, or pairs to classify."""

from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core import text_files
from bitext_pivot.core.hub.pretrained import explain_errors
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus import row_output
from bitext_pivot.research.models import evaluation, kinds
from bitext_pivot.research.models.network import example


def apply_model(folder: Path, lines: Sequence[str], batch: int) -> list[str]:
    """Return the output of a trained model for each line, computed `batch` lines at a time.

    Raises SettingsError if the folder has no trained model, if the model fails on a text, or if a pair to classify has
    no tab.
    """
    model, plan = kinds.load(folder)
    examples = [example(line, number, plan.kind) for number, line in enumerate(lines, 1)]
    with explain_errors(f"{folder} failed on a text", "Train or download the model again."):
        return evaluation.outputs(model, examples, batch)


def write_outputs(path: Path, lines: Sequence[str], outputs: Sequence[str]) -> None:
    """Write the outputs to a file, one per line.

    For the extensions of CSV, JSON lines and Parquet, a table of lines and outputs is written instead. Raises
    ShardError if the file cannot be written.
    """
    if text_files.extension(path) not in row_files.OUTPUT_EXTENSIONS:
        atomic.write_text(path, "".join(f"{output}\n" for output in outputs))
        return
    with row_output.open_row_writer(path, row_output.OUTPUTS) as write:
        for number, (line, output) in enumerate(zip(lines, outputs, strict=True), 1):
            write({"line": number, "source": line, "output": output})
