"""The manifest of a data set: what it lists, and that every missing or changed file is noticed."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus import publish, reading

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
    entries = manifest.files(folder) or {}
    plain = {name: entry.model_dump(exclude_none=True) for name, entry in entries.items()}
    sums = folder / "SHA256SUMS"
    assert plain == json.loads(text)["files"] == {
        "SHA256SUMS": {"bytes": sums.stat().st_size, "sha256": atomic.sha256(sums)},
        "README.md": {"bytes": 19, "sha256": atomic.sha256(readme)},
        name: {"bytes": 33, "sha256": atomic.sha256(folder / name), "rows": rows},
    }  # fmt: skip
    assert text.index("README.md") < text.index(name)
    assert manifest.problems(folder) == []


def rewrite(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("name", "harm", "problem"), [
    (DATA, Path.unlink, f"{DATA} is missing"),
    ("SHA256SUMS", rewrite(""), "SHA256SUMS has 0 bytes instead of 166"),
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


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum (GNU coreutils)")
def test_sha256sum_checks_every_file(folder: Path) -> None:
    command = ["sha256sum", "--strict", "-c", "SHA256SUMS"]
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert checked.stdout == f"README.md: OK\n{DATA}: OK\n"
    (folder / DATA).write_text("This is changed.\n", encoding="utf-8")
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 1 and f"{DATA}: FAILED" in checked.stdout


def test_a_file_of_the_users_is_no_problem(folder: Path) -> None:
    (folder / "notes.txt").write_text("Read these first.")
    assert manifest.problems(folder) == []


def entry(**values: object) -> dict[str, object]:
    return {"bytes": 1, "sha256": "0" * 64, **values}


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"files": []},
        {"files": None},
        {"files": "README.md"},
        {"files": {"README.md": []}},
        {"files": {"README.md": None}},
        {"files": {"README.md": {"sha256": "0" * 64}}},
        {"files": {"README.md": {"bytes": 1}}},
        {"files": {"README.md": entry(bytes="1")}},
        {"files": {"README.md": entry(bytes=1e308)}},
        {"files": {"README.md": entry(sha256=["0"])}},
        {"files": {"../outside.txt": entry()}},
        {"files": {"pairs/../../outside.txt": entry()}},
        {"files": {"/etc/hostname": entry()}},
        {"files": {"": entry()}},
        {"files": {"a\0b": entry()}},
    ],
)
def test_a_sealed_manifest_of_another_form_is_damaged(
    content: dict[str, object], folder: Path
) -> None:
    atomic.write_json(folder / "manifest.json", atomic.sealed(content, manifest.NAME))
    assert manifest.files(folder) is None
    assert manifest.problems(folder) == ["manifest.json is missing or damaged"]
    with pytest.raises(SettingsError):
        publish.prepare(folder)
    with pytest.raises(SettingsError):
        list(reading.read_rows(str(folder)))


def test_a_seal_is_of_all_files_in_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "checkpoint-3"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.bin", "deep/b.bin"):
        (folder / name).write_text(name, encoding="utf-8")
    assert manifest.broken_seal(folder) == ["manifest.json is missing or damaged"]
    manifest.seal(folder)
    assert manifest.broken_seal(folder) == []
    # The manifest of a data set.
    assert manifest.problems(folder) == ["manifest.json is missing or damaged"]
    for other in (tmp_path / "run" / "checkpoint-4", tmp_path / "other" / "checkpoint-3"):
        shutil.copytree(folder, other)
        assert manifest.broken_seal(other) == ["manifest.json is missing or damaged"]
    (folder / "deep" / "c.bin").touch()
    assert manifest.broken_seal(folder) == ["deep/c.bin is not in manifest.json"]
    assert manifest.broken_seal(folder / "a.bin") == ["manifest.json is missing"]
