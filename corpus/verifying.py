"""Check a data set that was received: its files against the manifest, and against each other."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core import licences
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.data import parse_json
from bitext_pivot.core.errors import SettingsError, ShardError, SourceError
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.core.untrusted import shown
from bitext_pivot.corpus import croissant, reading

_ROWS_OF = (".parquet", ".jsonl", ".jsonl.zst")
"""Endings of the files whose rows are read."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of checking a file, or of comparing two."""

    what: str
    problem: str
    """"" if there is none."""

    @property
    def line(self) -> str:
        """The check in a line: `ok` or `FAILED`, what was checked, and the problem."""
        if self.problem:
            return f"FAILED {self.what}: {self.problem}"
        return f"ok     {self.what}"


def folder_of(dataset: str) -> Path:
    """Return the folder of a data set: here, in an object store, or a copy of owner/name on the hub.

    Raises SettingsError if there is none, SourceError if the hub fails.
    """
    if "://" in dataset or Path(dataset).exists() or dataset.count("/") != 1:
        return reading.found(dataset)
    try:
        return Path(huggingface_hub.snapshot_download(dataset, repo_type="dataset"))
    except Exception as error:  # the client, its HTTP library and hf_xet have no common class
        reason = str(error).partition("\n")[0]
        raise SourceError(
            f"There is no folder {dataset!r}, and the data set {dataset} cannot be downloaded from the hub "
            f"({type(error).__name__}: {shown(reason)}). Name a folder, or owner/name."
        ) from error


def verify(folder: Path) -> Iterator[Check]:
    """Check a data set and yield a result for each file, then for its counts, its licences and its signature.

    Compared are bytes and SHA-256 of each file with the manifest, the rows and columns of the data files with
    each other, the counts of `stats.json` with the rows, the card with `stats.json`, and the digests of
    `croissant.json` with the manifest. A manifest is no signature of a person: compare its SHA-256 with one that
    the author has published. Raises SettingsError if there is no manifest.
    """
    entries = manifest.files(folder)
    if entries is None:
        raise SettingsError(
            f"{folder} is no data set: manifest.json is missing or damaged. Name the folder of a data set, "
            "such as data/fr-en/latest, or its owner/name on the hub."
        )
    differing = {message.partition(" ")[0]: message for message in manifest.problems(folder)}
    counted: Counter[str] = Counter()
    columns: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        problem = differing.get(name, "")
        if not problem and "rows" in entry:
            problem = _data_problem(folder / name, entry["rows"], columns, counted)
        yield Check(name, problem)
    if croissant.NAME in entries:
        yield _description(folder, entries)
    if not differing:
        yield from _facts(folder, counted)


def _description(folder: Path, entries: Mapping[str, manifest.Entry]) -> Check:
    """Compare the SHA-256 of the files in croissant.json with the manifest."""
    what = f"SHA-256 in {croissant.NAME}"
    try:
        distribution = atomic.load_json(folder / croissant.NAME)["distribution"]
        stated = {part["@id"]: part["sha256"] for part in distribution if "sha256" in part}
    except (ShardError, KeyError, TypeError) as error:
        return Check(what, f"cannot be read ({shown(error)})")
    expected = {name: entry["sha256"] for name, entry in entries.items() if "rows" in entry}
    wrong = sorted(name for name in {*stated, *expected} if stated.get(name) != expected.get(name))
    return _compared(
        what, not wrong, f"other files or digests than the manifest: {', '.join(wrong[:3])}"
    )


def _data_problem(
    path: Path, rows: int, columns: dict[str, list[str]], counted: Counter[str]
) -> str:
    """Return what is wrong with the rows of a file; count them by the kind of their folder."""
    kind = path.parent.name
    if not path.name.endswith(_ROWS_OF):
        return ""
    try:
        names, found = _shape(path)
    except (ValueError, OSError, pa.ArrowException) as error:
        return f"{path.name} cannot be read ({type(error).__name__}: {shown(error)})"
    counted[f"{kind}{path.suffix}"] += found
    if found != rows:
        return f"{path.name} has {found:,} rows instead of {rows:,}"
    if names != columns.setdefault(f"{kind}{path.suffix}", names):
        return f"{path.name} has other columns than the first file of {kind!r}"
    return ""


def _shape(path: Path) -> tuple[list[str], int]:
    """Return the columns and the number of rows of a file."""
    with path.open("rb") as file:
        if path.suffix == ".parquet":
            table = pq.ParquetFile(file)
            return table.schema_arrow.names, table.metadata.num_rows
        if path.suffix == ".zst":
            return _shape_of_lines(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"))
        return _shape_of_lines(file)


def _shape_of_lines(stream: IO[bytes]) -> tuple[list[str], int]:
    names: list[str] = []
    number = 0
    with io.TextIOWrapper(stream, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            names = names or [*parse_json(line)]
            number += 1
    return names, number


def _facts(folder: Path, counted: Mapping[str, int]) -> Iterator[Check]:
    """Compare the rows and the card with stats.json."""
    try:
        stats = atomic.load_json(folder / "stats.json")
        counts = Counts.read(stats["counts"])
        digest = key(stats["signature"])
        stated = reading.card_fields(folder)
        card = (folder / "README.md").read_text(encoding="utf-8")
    except (SettingsError, OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        yield Check("stats.json and README.md", f"cannot be compared ({shown(error)})")
        return
    for name, number in counted.items():
        wanted = counts["kinds", name.partition(".")[0]]
        yield _compared(
            f"rows of {name}", number == wanted, f"{number:,}, stats.json counts {wanted:,}"
        )
    expected = licences.front_matter(_licences(counts))
    is_stated = all(stated.get(field) == value for field, value in expected.items())
    yield _compared(
        f"licence {expected.get('license', 'of no row')}", is_stated, "README.md states another"
    )
    has_key = f"key:{digest}" in card
    yield _compared(f"signature key:{digest}", has_key, "README.md has another")


def _compared(what: str, is_equal: bool, problem: str) -> Check:
    if is_equal:
        return Check(what, "")
    return Check(what, problem)


def _licences(counts: Counts) -> set[str]:
    names: set[str] = set()
    for corpus in counts.below("licence"):
        names.update(counts.below("licence", corpus))
    return names
