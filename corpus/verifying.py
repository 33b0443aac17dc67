"""Check a data set that was received: its files against the manifest, and against each other."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core import licences
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import manifest, received
from bitext_pivot.core.untrusted import shown
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.facts import licences_of, read_stats

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
        what = shown(self.what)
        if self.problem:
            return f"FAILED {what}: {self.problem}"
        return f"ok     {what}"


def folder_of(dataset: str) -> Path:
    """Return the folder of a data set: here, in an object store, or a copy of owner/name on the hub.

    Raises SettingsError if there is none, SourceError if the hub fails.
    """
    if "://" in dataset or Path(dataset).exists() or dataset.count("/") != 1:
        return reading.found(dataset)
    from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

    return hub_client.data_set_folder(dataset)


def verify(folder: Path) -> Iterator[Check]:
    """Check a data set and yield a result for each file, then for its counts, its licences and its signature.

    Compared are bytes and SHA-256 of each file with the manifest, the rows and columns of the data files
    with each other, the counts of `stats.json` with the rows, the card with `stats.json`.
    A file that the manifest does not list fails: other programs may
    read it. Each comparison is made, whatever has failed before. A manifest is no signature of a person:
    compare its SHA-256 with one that the author has published. Raises SettingsError if there is no
    manifest.
    """
    entries = manifest.files(folder)
    if not folder.exists():
        raise SettingsError(
            f"There is no folder {folder}, and no data set on the hub of this name."
        )
    if entries is None:
        raise SettingsError(
            f"{folder} is no data set: manifest.json is missing or damaged. Name the folder of a data set, "
            "such as data/fr-en/latest, or its owner/name on the hub."
        )
    differences = manifest.differences(folder, entries)
    counted: Counter[str] = Counter()
    columns: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        problem = differences.get(name, "")
        if not problem and entry.rows is not None:
            problem = _data_problem(folder / name, entry.rows, columns, counted)
        yield Check(name, problem)
    for name in manifest.unlisted(folder, entries):
        yield Check(name, f"is not in {manifest.NAME}")
    yield from _facts(folder, counted)


def _data_problem(
    path: Path, rows: int, columns: dict[str, list[str]], counted: Counter[str]
) -> str:
    """Return what is wrong with the rows of a file; count them by the kind of their folder."""
    kind = path.parent.name
    if not path.name.endswith(_ROWS_OF):
        return ""
    try:
        names, found = _shape(path)
    except (ValueError, OSError, ShardError, pa.ArrowException) as error:
        return f"cannot be read ({type(error).__name__}: {shown(error)})"
    counted[f"{kind}{path.suffix}"] += found
    if found != rows:
        return f"has {found:,} rows instead of {rows:,}"
    if names != columns.setdefault(f"{kind}{path.suffix}", names):
        return f"has other columns than the first file of {shown(kind)!r}"
    return ""


def _shape(path: Path) -> tuple[list[str], int]:
    """Return the columns and the number of rows of a file."""
    if path.suffix == ".parquet":
        with received.opened(path) as file:
            table = pq.ParquetFile(file)
            return table.schema_arrow.names, table.metadata.num_rows
    names: list[str] = []
    number = 0
    for row in received.rows(path):
        names = names or [*row]
        number += 1
    return names, number


def _facts(folder: Path, counted: Mapping[str, int]) -> Iterator[Check]:
    """Compare the rows and the card with stats.json."""
    try:
        stats = read_stats(folder)
        digest = key(stats.signature)
        stated = reading.card_fields(folder)
        card = received.text(folder / "README.md")
    except (SettingsError, ShardError, OSError, UnicodeDecodeError) as error:
        yield Check("stats.json and README.md", f"cannot be compared ({shown(error)})")
        return
    counts = stats.counts
    for name, number in counted.items():
        wanted = counts["kinds", name.partition(".")[0]]
        yield _compared(
            f"rows of {name}", number == wanted, f"{number:,}, stats.json counts {wanted:,}"
        )
    expected = licences.front_matter(licences_of(counts))
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
