"""What the demo prints: its examples, and where the log goes. test_demo.py builds it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from demo import END, examples, logged_to, parts, whole_text

ROOT = Path(__file__).parents[1]
LABELS = [
    ("", 3, []),
    ("a", 3, [0]),
    ("aaaa", 3, [0, 1, 2]),
    ("aabb", 3, [0, 2, 1]),
    ("aaab", 2, [0, 3]),
    ("abcd", 3, [0, 1, 2]),
    ("abab", 4, [0, 1, 2, 3]),
    ("aabbcc", 3, [0, 2, 4]),
    ("aab", 9, [0, 2, 1]),
    ("aab", 0, []),
]
"""The label of each row, the number of rows to show, and the rows that are shown."""


@pytest.mark.parametrize(("labels", "number", "shown"), LABELS)
def test_rows_of_each_label_take_turns(labels: str, number: int, shown: list[int]) -> None:
    rows = [{"label": label, "number": n} for n, label in enumerate(labels)]
    assert [row["number"] for row in examples(rows, "label", number)] == shown


ROWS: list[tuple[dict[str, Any], str, list[str]]] = [
    ({"long": "A and B.", "split": ["A.", "B."]}, "A and B.", ["A.", "B."]),
    ({"text": ["A , but B ."], "first": "A .", "second": "B ."}, "A , but B .", ["A .", "B ."]),
    ({"text": ["A .", "But B ."], "first": "A .", "second": "B ."}, "A . But B .", ["A .", "B ."]),
    ({"first": "A.", "second": "B.", "marker": "however"}, "", ["A.", "B."]),
]


@pytest.mark.parametrize(("row", "whole", "sentences"), ROWS)
def test_a_row_is_a_text_and_two_sentences(
    row: dict[str, Any], whole: str, sentences: list[str]
) -> None:
    assert (whole_text(row), list(parts(row))) == (whole, sentences)


def test_stderr_of_the_process_and_its_children_goes_to_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    child = [sys.executable, "-c", "import sys; sys.stderr.write('of a child')"]
    with pytest.raises(RuntimeError), logged_to(tmp_path / "demo.log"):
        os.write(2, b"of this process, ")
        subprocess.run(child, check=True)
        raise RuntimeError("the end")
    os.write(2, b"on the screen")
    assert (tmp_path / "demo.log").read_text(encoding="utf-8") == "of this process, of a child"
    assert capfd.readouterr().err == "on the screen"


def test_the_last_lines_name_documents_that_are_there() -> None:
    for name in ("docs/real-pairs.md", "docs/quality.md", "README.md"):
        assert name in END and (ROOT / name).is_file()
