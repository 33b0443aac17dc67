"""Outputs of `apply`: one for each line, in order, in the format that the output's name says."""

from pathlib import Path

import pytest
from messages import Said

from bitext_pivot.core.reading import pair_files
from bitext_pivot.core.reading.row_files import read_rows
from bitext_pivot.research.models.applying import write_outputs

LINES = ['Tom sings, and "Ann" reads.', "Tom sings.", "It rained, so we left."]
OUTPUTS = ['Tom sings. <SEP> "Ann" reads.', "", "It rained. <SEP> We left."]


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet", "out.csv.gz"])
def test_a_table_has_each_line_with_its_output(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    write_outputs(out, LINES, OUTPUTS)
    found = [
        row
        for _, row in read_rows(out, "", names={"line"}, is_header=lambda cells: "line" in cells)
        if isinstance(row, dict)
    ]
    assert [(int(row["line"]), row["source"], row["output"]) for row in found] == [
        (number, line, output)
        for number, (line, output) in enumerate(zip(LINES, OUTPUTS, strict=True), 1)
    ]
    columns = {"long": "source", "split": "output"}
    pairs = [line.pair and line.pair.long for line in pair_files.read_pairs(out, "en", columns)]
    assert pairs == [LINES[0], None, LINES[2]]


def test_any_other_name_is_text(tmp_path: Path) -> None:
    write_outputs(tmp_path / "out.txt", LINES, OUTPUTS)
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "".join(
        f"{output}\n" for output in OUTPUTS
    )


@pytest.mark.parametrize(("files", "problem"), [
    ((), "is not a complete trained model"), (("manifest.json",), "is in a folder that is an input"),
])  # fmt: skip
def test_no_output_is_written_into_a_model(
    files: tuple[str, ...], problem: str, tmp_path: Path, refused: Said
) -> None:
    for name in ("in.txt", *files):
        (tmp_path / name).write_text("Tom sings.\n")
    inputs, out = [str(tmp_path), str(tmp_path / "in.txt")], tmp_path / "out.txt"
    assert problem in refused("apply", *inputs, "--output", str(out)) and (not out.exists())
