"""The manifest of a data set: what it lists, and that every missing or changed file is noticed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from upath import UPath

from pairs.storage import atomic, manifest

NAMES = ("pairs.jsonl", "README.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A complete data set of two files."""
    for name in NAMES:
        (tmp_path / name).write_text(f"This is {name}.\n", encoding="utf-8")
    manifest.write(tmp_path, NAMES)
    return tmp_path


def test_a_manifest_lists_size_and_checksum_with_sorted_keys(folder: Path) -> None:
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    path = folder / "README.md"
    assert json.loads(text)["files"]["README.md"] == {"bytes": 19, "sha256": atomic.sha256(path)}
    assert text.index("README.md") < text.index("pairs.jsonl")
    assert manifest.problems(folder, NAMES) == []


def rewrite(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("name", "harm", "problem"), [
    ("pairs.jsonl", Path.unlink, "pairs.jsonl is missing"),
    ("pairs.jsonl", rewrite(""), "pairs.jsonl has 0 bytes instead of 21"),
    ("README.md", rewrite("This is READYOU.md\n"), "README.md has another SHA-256"),
    ("manifest.json", Path.unlink, "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("{"), "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("[]"), "manifest.json is missing or damaged"),
    ("manifest.json", rewrite("{}"), "pairs.jsonl is not listed"),
])  # fmt: skip
def test_a_lost_or_changed_file_is_noticed(
    name: str, harm: Callable[[Path], object], problem: str, folder: Path
) -> None:
    harm(folder / name)
    assert manifest.problems(folder, NAMES)[0] == problem


def test_a_file_of_the_users_is_no_problem(folder: Path) -> None:
    (folder / "notes.txt").write_text("Read these first.")
    assert manifest.problems(folder, NAMES) == []


def test_a_data_set_in_an_object_store_has_one_too(folder: Path) -> None:
    store = UPath("memory://manifests/export-00000000")
    store.mkdir(parents=True)
    for path in folder.iterdir():
        (store / path.name).write_bytes(path.read_bytes())
    assert manifest.problems(store, NAMES) == []
    (store / "pairs.jsonl").unlink()
    assert manifest.problems(store, NAMES) == ["pairs.jsonl is missing"]
