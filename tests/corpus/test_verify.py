"""`bitext-pivot verify`: a whole data set, and what is noticed when one of its files says something else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from factories import assigned, judged
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.export import export
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import Export
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas

PAIRS = [
    judged(number, f"Il pleut {number}, on reste.", "Il pleut.", "On reste ici.")
    for number in range(3)
]
FUNNEL = [FunnelStage(name="judge", rows=3, lost={})]
SIGNATURE = {"settings": {"language": "fr"}}
CARD = "---\nlicense: cc0-1.0\n---\n\n# Pairs\n\nbitext-pivot|pair:fr|key:{}\n"
OTHERS = ["stats.json", "README.md"]
Change = Callable[[Path], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set of three pairs in two formats."""
    return data_set(tmp_path / "export-0f0f0f0f", Export(formats=["parquet", "jsonl"]))


def data_set(folder: Path, settings: Export) -> Path:
    """Write three pairs with settings of the export, and all that `verify` compares."""
    files = DataFiles(folder, settings, schemas(BISECT.rows.classes, ("overlap",)))
    counts = export(files, BISECT, assigned(PAIRS)) + Counts(
        {("licence", "Everyday/v1", "CC0-1.0"): 3}
    )
    facts = BuildFacts(
        title="", signature=SIGNATURE, corpora={"Everyday/v1": {}}, counts=counts, funnel=FUNNEL
    )
    atomic.write_json(folder / "stats.json", facts.plain())
    (folder / "README.md").write_text(CARD.format(key(SIGNATURE)), encoding="utf-8")
    manifest.write(folder, files.rows, OTHERS)
    return folder


def sealed_again(folder: Path, rows: dict[str, int] | None = None) -> None:
    """Write a manifest that fits the files, as anybody can."""
    entries = manifest.files(folder) or {}
    data = {name: entry.rows for name, entry in entries.items() if entry.rows is not None}
    manifest.write(folder, data | (rows or {}), OTHERS)


def verdicts(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Run the command; return its status and its lines about what failed."""
    status = main(["verify", str(folder)])
    return status, [
        line for line in capsys.readouterr().out.splitlines() if not line.startswith("ok")
    ]


def test_every_file_of_a_whole_data_set_has_a_line(folder: Path, done: Said) -> None:
    lines = [line.split(maxsplit=1) for line in done("verify", str(folder)).splitlines()]
    assert {verdict for verdict, _ in lines} == {"ok"}
    checked = [what for _, what in lines]
    assert checked[:1] == ["README.md"]
    assert checked[1:4] == ["pairs/train-00000.jsonl", "pairs/train-00000.parquet", "stats.json"]
    assert checked[4:] == ["rows of pairs.jsonl", "rows of pairs.parquet",
                           "licence cc0-1.0",
                           f"signature key:{key(SIGNATURE)}"]  # fmt: skip


def test_compressed_files_of_all_formats_are_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_form = Export(formats=["jsonl", "bisect", "tsv", "wikisplit"], compress=True)
    folder = data_set(tmp_path / "export-1", export_form)
    assert verdicts(folder, capsys) == (0, [])


def edited(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def with_another_count(folder: Path) -> None:
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    stats["counts"]["kinds"]["pairs"] = 4
    atomic.write_json(folder / "stats.json", stats)


def without_a_row(folder: Path) -> None:
    path = folder / "pairs" / "train-00000.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)


def without_a_line(folder: Path) -> None:
    path = folder / "pairs" / "train-00000.jsonl"
    path.write_text(
        "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]), encoding="utf-8"
    )


@pytest.mark.parametrize(("change", "expected"), [
    (edited("pairs/train-00000.jsonl", "Il pleut 1", "Il neige 1"), "pairs/train-00000.jsonl: has another SHA-256"),
    (edited("README.md", "# Pairs", "# Pears"), "README.md: has another SHA-256"),
    (lambda folder: (folder / "stats.json").unlink(), "stats.json: is missing"),
])  # fmt: skip
def test_a_changed_file_is_named(
    change: Change, expected: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder)
    status, failed = verdicts(folder, capsys)
    assert status == 2
    assert f"FAILED {expected}" in failed


@pytest.mark.parametrize(("change", "expected"), [
    (without_a_line, "has 2 rows instead of 3"),
    (without_a_row, "has 2 rows instead of 3"),
    (edited("README.md", "cc0-1.0", "mit"), "README.md states another"),
    (edited("README.md", "key:", "key:0"), "README.md has another"),
    (edited("README.md", "license: cc0-1.0", "license: [cc0"), "cannot be compared"),
    (with_another_count, "3, stats.json counts 4"),
    (edited("stats.json", '"signature"', '"signed"'), "cannot be compared"),
])  # fmt: skip
def test_files_that_contradict_each_other_are_named_though_their_manifest_fits(
    change: Change, expected: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder)
    sealed_again(folder)
    status, failed = verdicts(folder, capsys)
    assert status == 2
    assert any(expected in line for line in failed), failed


@pytest.mark.parametrize(("name", "folder"), [
    ("nothing", "."), ("manifest.json", "."), ("a file", "a file"),
])  # fmt: skip
def test_what_is_no_data_set_is_refused(
    name: str, folder: str, tmp_path: Path, refused: Said
) -> None:
    (tmp_path / name).write_text(json.dumps({"files": {}}), encoding="utf-8")
    assert "is no data set: manifest.json is missing or damaged" in refused(
        "verify", str(tmp_path / folder)
    )


def test_a_name_that_is_neither_folder_nor_on_the_hub_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    monkeypatch.setattr("bitext_pivot.core.hub.hub_client.PAUSES", (0.0, 0.0))
    assert main(["verify", "acme/pairs"]) == 1
    said = capsys.readouterr().err
    assert "The data set 'acme/pairs' is no folder here" in said and "failed (no route)" in said
