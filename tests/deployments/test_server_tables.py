"""The tables of a new server: Prefect's own, from a copy that may be damaged; that others stay is tried by a server."""

import gzip
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest


def database_of(runs: int) -> bytes:
    """Return a small database with the two tables that are looked at, with a write-ahead log as Prefect's."""
    with sqlite3.connect(":memory:") as database:
        database.executescript(
            "PRAGMA page_size = 512; CREATE TABLE flow_run (id); CREATE TABLE alembic_version (id);"
            "INSERT INTO alembic_version VALUES ('a');"
        )
        database.executemany("INSERT INTO flow_run VALUES (?)", [(n,) for n in range(runs)])
        database.commit()
        content = database.serialize()
        return content[:18] + b"\2\2" + content[20:]


TABLES = database_of(0)
_PREPARE = """
from bitext_pivot.deployments import server_tables
from prefect.server.database import provide_database_interface
server_tables.prepare()
print(provide_database_interface().database_config.connection_url)
"""


@pytest.fixture
def migrations(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was migrated so far."""
    from bitext_pivot.deployments import server_tables

    made: list[bytes] = []

    def migrated() -> bytes:
        made.append(TABLES)
        return TABLES

    monkeypatch.setattr(server_tables, "_migrated", migrated)
    return made


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Where the empty database is kept."""
    import prefect

    return tmp_path / "cache" / f"prefect-{prefect.__version__}.db.gz"


def test_one_folder_of_prefect_migrates_for_all(
    tmp_path: Path, packed: Path, migrations: list[bytes]
) -> None:
    from bitext_pivot.deployments import server_tables

    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        server_tables.provide(folder / "prefect.db", packed.parent)
        assert [path.name for path in folder.iterdir()] == ["prefect.db"]
        assert (folder / "prefect.db").read_bytes() == TABLES
    assert migrations == [TABLES]


def test_a_damaged_copy_is_made_anew(tmp_path: Path, packed: Path, migrations: list[bytes]) -> None:
    """Cut anywhere, with another byte behind the header, whose time is of no use, or of something else."""
    from bitext_pivot.deployments import server_tables

    whole = gzip.compress(TABLES)
    damaged = [gzip.compress(other) for other in (b"", b"a text", database_of(1), TABLES[:-600])]
    damaged += [whole[:end] for end in range(0, len(whole), 7)]
    for place in range(10, len(whole), 7):
        damaged.append(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    packed.parent.mkdir()
    database = tmp_path / "prefect.db"
    for content in damaged:
        packed.write_bytes(content)
        server_tables.provide(database, packed.parent)
        assert database.read_bytes() == TABLES == gzip.decompress(packed.read_bytes())
        database.unlink()
    assert len(migrations) == len(damaged)


@pytest.mark.parametrize(
    ("address", "content"),
    [
        (None, TABLES),
        ("sqlite+aiosqlite:///{home}/prefect.db", TABLES),
        ("sqlite+aiosqlite:///{home}/mine.db", None),
        ("postgresql+asyncpg://me:pw@localhost/prefect", None),
    ],
)
def test_only_a_new_database_in_the_folder_of_prefect_gets_tables(
    tmp_path: Path,
    packed: Path,
    monkeypatch: pytest.MonkeyPatch,
    migrations: list[bytes],
    address: str | None,
    content: bytes | None,
) -> None:
    from prefect.settings import (
        PREFECT_API_DATABASE_CONNECTION_URL,
        PREFECT_HOME,
        temporary_settings,
    )

    from bitext_pivot.deployments import server_tables

    monkeypatch.setenv("BITEXT_PIVOT_CACHE", str(packed.parent))
    home = tmp_path / "prefect"
    home.mkdir()
    named = {PREFECT_API_DATABASE_CONNECTION_URL: address.format(home=home)} if address else {}
    with temporary_settings({PREFECT_HOME: home} | named):
        server_tables.prepare()
    database = home / "prefect.db"
    assert (database.read_bytes() if database.exists() else None) == content
    database.write_bytes(b"mine")
    with temporary_settings({PREFECT_HOME: home} | named):
        server_tables.prepare()
    assert database.read_bytes() == b"mine"


def test_a_cache_that_cannot_be_written_leaves_the_tables_to_prefect(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch, migrations: list[bytes]
) -> None:
    from prefect.settings import PREFECT_HOME, temporary_settings

    from bitext_pivot.deployments import server_tables

    packed.parent.mkdir()
    packed.mkdir()
    monkeypatch.setenv("BITEXT_PIVOT_CACHE", str(packed.parent))
    with temporary_settings({PREFECT_HOME: tmp_path}):
        server_tables.prepare()
    assert not (tmp_path / "prefect.db").exists()


@pytest.mark.system
def test_the_server_that_makes_the_tables_uses_its_own_database(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no row in it, at the last migration of this version: this fails if Prefect changes how it migrates."""
    monkeypatch.setenv("BITEXT_PIVOT_CACHE", str(packed.parent))
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", _PREPARE], capture_output=True, text=True, check=True
    )
    database = tmp_path / "prefect.db"
    assert done.stdout.strip() == f"sqlite+aiosqlite:///{database}"
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM flow_run").fetchone() == (0,)
    assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
