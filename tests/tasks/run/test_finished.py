"""Finished builds are found again as long as nothing may have changed, and no longer."""

import errno
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.tasks.run import finished, program_digest

SIGNATURE = {
    "engine": "marian a@1",
    "versions": {"python": "3.11"},
    "settings": {"pivot": "fr"},
    "sources": {},
}
SOURCES = {"Tiny/v1": {"links": {"sha256": "ab", "bytes": 3}}, "mine/v1": {"sha256": "cd"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A complete data set, whose build is remembered."""
    folder = tmp_path / "export-1"
    folder.mkdir()
    (folder / "pairs.jsonl").write_text("{}\n", encoding="utf-8")
    manifest.write(folder, {"pairs.jsonl": 1}, [])
    finished.record_build(folder, SIGNATURE, SOURCES)
    return folder


def test_a_finished_build_is_found_and_latest_points_to_it(folder: Path) -> None:
    assert finished.find_build(folder.parent, SIGNATURE, SOURCES) == folder
    assert (
        finished.find_build(folder.parent, {**SIGNATURE, "warnings": ["Far."]}, SOURCES) == folder
    )
    assert not (folder.parent / "latest").exists()
    finished.point_latest(folder)
    assert (folder.parent / "latest").resolve() == folder


def test_latest_does_not_point_to_a_data_set_without_a_kept_row(folder: Path) -> None:
    atomic.write_json(
        folder / "stats.json", {"counts": {"kinds": {"rejected": 1}}, "signature": {"settings": {}}}
    )
    finished.point_latest(folder)
    assert not (folder.parent / "latest").exists()
    atomic.write_json(
        folder / "stats.json", {"counts": {"subset": {"train": 1}}, "signature": {"settings": {}}}
    )
    finished.point_latest(folder)
    assert (folder.parent / "latest").resolve() == folder


@pytest.mark.parametrize(
    ("latest", "is_right"), [("export-1", True), ("export-0", False), ("", False)]
)
def test_on_a_read_only_disk_latest_stays(
    latest: str, is_right: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    if latest:
        folder.with_name("latest").symlink_to(latest)
    for name in ("symlink_to", "unlink", "replace", "mkdir", "write_text"):
        monkeypatch.setattr(Path, name, refuse)
    with nullcontext() if is_right else pytest.raises(ShardError):
        finished.point_latest(folder)


@pytest.mark.parametrize(
    "here", [SOURCES, {"Tiny/v1": SOURCES["Tiny/v1"]}, {}], ids=["all", "some", "none"]
)
def test_sources_that_were_deleted_change_nothing(here: dict[str, Any], folder: Path) -> None:
    assert finished.find_build(folder.parent, SIGNATURE | {"sources": SOURCES}, here) == folder


CHANGES: dict[str, Callable[[Path], Any]] = {
    "a file is damaged": lambda folder: (folder / "pairs.jsonl").write_text(
        "{]\n", encoding="utf-8"
    ),
    "a file is missing": lambda folder: (folder / "pairs.jsonl").unlink(),
    "the manifest is missing": lambda folder: (folder / manifest.NAME).unlink(),
    "the data set is gone": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "the record is damaged": lambda folder: _record(folder).write_text("{}", encoding="utf-8"),
    "the record is cut short": lambda folder: _record(folder).write_bytes(
        _record(folder).read_bytes()[:-9]
    ),
    "the record is of another build": lambda folder: _record(folder).rename(
        folder.with_name("finished-00000000.json")
    ),
}


def _record(folder: Path) -> Path:
    (path,) = folder.parent.glob("finished-*.json")
    return path


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_build_whose_files_changed_begins(change: Callable[[Path], Any], folder: Path) -> None:
    change(folder)
    assert finished.find_build(folder.parent, SIGNATURE, SOURCES) is None


def test_a_build_begins_after_every_change_of_the_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "program_digest", lambda: "another")
    assert finished.find_build(folder.parent, SIGNATURE, SOURCES) is None


def test_the_digest_of_the_program_has_all_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    digest = atomic.sha256

    def note(path: Path) -> str:
        read.append(path)
        return digest(path)

    monkeypatch.setattr(atomic, "sha256", note)
    computed = program_digest.program_digest.__wrapped__  # without what this process keeps
    before = computed()
    names = {path.name for path in read}
    assert {"chain.py", "encoders.toml", "page.html", "bisect.py", "paper-fr-en.json"} <= names
    changed = read[len(read) // 2]
    monkeypatch.setattr(atomic, "sha256", lambda path: "00" if path == changed else digest(path))
    assert computed() != before
