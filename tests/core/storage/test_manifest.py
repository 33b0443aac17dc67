"""The manifest of a data set: what it lists, and that every missing or changed file is noticed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from upath import UPath

from bitext_pivot.core.storage import atomic, manifest

DATA = "pairs/train-00000.jsonl"
ROWS = {DATA: 3}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A complete data set of two files."""
    (tmp_path / "pairs").mkdir()
    for name in (*ROWS, "README.md"):
        (tmp_path / name).write_text(f"This is {name}.\n", encoding="utf-8")
    manifest.write(tmp_path, ROWS, ["README.md"])
    return tmp_path


def test_a_manifest_lists_size_checksum_and_rows_with_sorted_keys(folder: Path) -> None:
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    readme, (name, rows) = folder / "README.md", *ROWS.items()
    assert manifest.files(folder) == json.loads(text)["files"] == {
        "README.md": {"bytes": 19, "sha256": atomic.sha256(readme)},
        name: {"bytes": 33, "sha256": atomic.sha256(folder / name), "rows": rows},
    }  # fmt: skip
    assert text.index("README.md") < text.index(name)
    assert manifest.problems(folder) == []


def rewrite(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("name", "harm", "problem"), [
    (DATA, Path.unlink, f"{DATA} is missing"),
    (DATA, rewrite(""), f"{DATA} has 0 bytes instead of 33"),
    ("README.md", rewrite("This is READYOU.md\n"), "README.md has another SHA-256"),
    ("manifest.json", Path.unlink, "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("{"), "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("[]"), "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("{}"), "manifest.json is missing or damaged"),
])  # fmt: skip
def test_a_lost_or_changed_file_is_noticed(
    name: str, harm: Callable[[Path], object], problem: str, folder: Path
) -> None:
    harm(folder / name)
    assert manifest.problems(folder)[0] == problem


def test_a_file_of_the_users_is_no_problem(folder: Path) -> None:
    (folder / "notes.txt").write_text("Read these first.")
    assert manifest.problems(folder) == []


def test_a_data_set_in_an_object_store_has_one_too(folder: Path) -> None:
    store: Any = UPath("memory://manifests/export-00000000")
    store.mkdir(parents=True)
    for name in (*ROWS, "README.md", "manifest.json"):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_bytes((folder / name).read_bytes())
    assert manifest.problems(store) == []
    (store / DATA).unlink()
    assert manifest.problems(store) == [f"{DATA} is missing"]
