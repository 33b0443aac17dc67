"""A damaged home: the next run logs one line, builds again what was damaged and nothing else, and has the same bytes.

To add a row to CASES: how a file is damaged, which one (a pattern below the home; its first match), and the line that
the run logs (a regular expression for all of it; None if it logs none). The home is that of a build of Tiny/v1,
downloaded from a mirror: the files of its corpus are in opus/.
"""

import logging
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
import web
from builds import tiny, tree

from bitext_pivot.core.progress import IN_RESULTS
from bitext_pivot.flows.pivot_settings import PivotBitext


def truncated(path: Path) -> None:
    """Leave the first half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    """Flip a bit in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edited(old: str, new: str) -> Callable[[Path], None]:
    """Replace text."""

    def edit(path: Path) -> None:
        content = path.read_bytes()
        assert old.encode() in content, content
        path.write_bytes(content.replace(old.encode(), new.encode()))

    return edit


def written(text: str) -> Callable[[Path], object]:
    """Write other text."""
    return lambda path: path.write_text(text)


def replaced(pattern: str) -> Callable[[Path], object]:
    """Put another shard in its place."""
    return lambda path: shutil.copyfile(next(path.parents[1].glob(pattern)), path)


def row_changed(store: Path) -> None:
    """Change a stored translation."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE rows SET value = replace(value, 'tree', 'bush')")
        assert connection.execute("SELECT changes()").fetchone()[0]


class Case(NamedTuple):
    """What happens to a home."""

    damage: Callable[[Path], object]
    where: str
    line: str | None
    lost: str = ""
    """Files that are deleted before, so that the damaged one is read again."""


def again(stage: str, shard: str = "Tiny-v1-0000.") -> str:
    """Return the line for a shard."""
    return rf"{stage}-\w+/{shard}\.parquet was damaged, or written by another version: it is built again"


def fetched(name: str) -> str:
    """Return the line for a download."""
    return rf".*/{name} has changed since it was downloaded. Downloading it again."


STORE, PAIRS = "store/translations/*.sqlite", "fr-en/pairs-*/*"
CASES = [
    Case(flipped, "opus/Tiny/v1/raw/fr.zip", fetched("fr.zip")),
    Case(truncated, "opus/Tiny/v1/xml/en-fr.xml.gz", fetched("en-fr.xml.gz")),
    Case(edited('"bytes"', '"byte"'), "opus/Tiny/v1/raw/en.zip.json", fetched("en.zip")),
    Case(truncated, "fr-en/parsed-*/Tiny-v1-00000.parquet", again("parsed")),
    Case(flipped, "fr-en/parsed-*/Tiny-v1-00001.parquet", again("parsed")),
    Case(edited("of all other", "of any other"), "fr-en/parsed-*/Tiny-v1-00002.parquet", again("parsed")),
    Case(Path.unlink, "fr-en/scored-*/Tiny-v1-00000.parquet", None),
    Case(replaced("judged-*/Tiny-v1-00001.parquet"), "fr-en/judged-*/Tiny-v1-00000.parquet", again("judged")),
    Case(replaced("parsed-*/Tiny-v1-00001.parquet"), "fr-en/judged-*/Tiny-v1-00001.parquet", again("judged")),
    Case(edited('"rows": 1', '"rows": 2'), "fr-en/divided-*/Tiny-v1-00000.parquet", again("divided")),
    Case(written(""), "fr-en/divided-*/Tiny-v1-00001.parquet", again("divided")),
    Case(written("[" * 100_000), "fr-en/divided-*/Tiny-v1-00002.parquet", again("divided")),
    Case(edited('"skips": {', '"skips": ['), "fr-en/align*/Tiny-v1-00002.parquet", again("alignments")),
    Case(flipped, "fr-en/held-out-*/texts.parquet", again("held-out", "texts")),
    Case(edited("is_last", "is_list"), "fr-en/alignments-*/Tiny-v1-00001.parquet", again("alignments")),
    Case(row_changed, STORE, r"\w+\.sqlite: 1 damaged rows of 'echo .*' are computed again", PAIRS),
    Case(truncated, STORE, r".*\.sqlite is damaged \(database disk image is malformed\): its rows .*", PAIRS),
    Case(written("no database"), STORE, r".*\.sqlite is damaged \(file is not a database\): its rows .*", PAIRS),
    Case(
        flipped, "fr-en/export-*/pairs/train-00000.dst",
        r"export-\w+ is written again: pairs/train-00000\.dst has another SHA-256",
    ),
    Case(
        edited('"rows": 2', '"rows": 3'), "fr-en/export-*/manifest.json",
        r"export-\w+ is written again: manifest\.json is missing or damaged",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def mirror(opus: Path) -> Iterator[str]:
    """Address of a mirror of OPUS."""
    with web.serve(web.files(opus)) as address:
        yield address


@pytest.fixture(scope="module")
def whole(server: str, mirror: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of an undisturbed build."""
    home = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BITEXT_PIVOT_HOME", str(home))
        patch.setenv("BITEXT_PIVOT_OPUS", mirror)
        build()
    return home


@pytest.fixture
def finished(whole: Path, home: Path, mirror: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which builds go on."""
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", mirror)
    return shutil.copytree(whole, home, symlinks=True)


def build() -> Path:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    return pivot_bitext(PivotBitext.model_validate(tiny()))


def contents(home: Path) -> dict[str, object]:
    """Return what must be the same after each run.

    Left out are the shards of the trial, which have seconds, and the catalogue, which a build from named releases does
    not read.
    """
    varying = (".sqlite", ".damaged")
    kept: dict[str, object] = {}
    for name, content in tree(home).items():
        if not name.endswith(varying) and not name.startswith(("catalogue/", "fr-en/trial/")):
            kept[name] = content
    return kept


def is_repaired(
    cases: list[Case], home: Path, whole: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Do damage, build, and assert that each case is logged in one line and that only those files were written."""
    damaged = [sorted(home.glob(case.where))[0] for case in cases]
    for path in [path for case in cases if case.lost for path in home.glob(case.lost)]:
        path.unlink()
    times = {path: path.stat().st_mtime_ns for path in home.glob("fr-en/*-*/*.parquet")}
    for case, path in zip(cases, damaged, strict=True):
        case.damage(path)
    caplog.clear()
    build()
    lines = [
        record.getMessage()
        for record in caplog.records
        if record.levelno >= logging.WARNING and not hasattr(record, IN_RESULTS)
    ]
    expected = [case.line for case in cases if case.line]
    assert len(lines) == len(expected), lines
    assert [
        line for line in expected if not any(re.fullmatch(line, found) for found in lines)
    ] == []
    assert contents(home) == contents(whole)
    built = {path for path, time in times.items() if path.stat().st_mtime_ns != time}
    assert built <= {*damaged}


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
def test_damage_is_logged_and_repaired(
    case: Case, finished: Path, whole: Path, caplog: pytest.LogCaptureFixture
) -> None:
    is_repaired([case], finished, whole, caplog)


def test_damage_in_many_files_is_repaired_in_one_run(
    finished: Path, whole: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cases = {case.where: case for case in CASES if "/export-" not in case.where}
    is_repaired([*cases.values()], finished, whole, caplog)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 25))]
)
def test_flipped_bits_lead_to_the_same_bytes(seed: int, finished: Path, whole: Path) -> None:
    """Eight files with a flipped bit each, in 25 homes. In every second one the rows of the store are read again."""
    choose = random.Random(seed)
    if seed % 2 == 0:
        for path in finished.glob(PAIRS):
            path.unlink()
    files = sorted(path for path in finished.rglob("*") if path.is_file() and path.stat().st_size)
    for path in choose.sample(files, 8):
        content = bytearray(path.read_bytes())
        content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
        path.write_bytes(content)
    build()
    assert contents(finished) == contents(whole)
