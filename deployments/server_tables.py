"""Prefect's tables in a new SQLite database: copied from one that is made once for a version of Prefect.

Prefect makes them by 70 migrations, which take three seconds, and most data folders of builds have a Prefect server,
and a database, of their own.
"""

import asyncio
import gzip
import os
import sqlite3
import tempfile
import zlib
from contextlib import closing, suppress
from pathlib import Path

import prefect
from prefect.server.database import provide_database_interface
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import temporary_database_config
from prefect.settings import get_current_settings
from sqlalchemy.exc import SQLAlchemyError

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

_NEW = "SELECT (SELECT count(*) FROM flow_run), count(*) FROM alembic_version"
"""What a database with Prefect's tables has none of, and one of."""


def prepare() -> None:
    """Give the server of this process a database with tables if it would make one, in Prefect's folder.

    A database that exists, one of another place, and PostgreSQL stay as they are. Where files cannot be written,
    Prefect makes its tables itself.
    """
    settings = get_current_settings()
    database = settings.home / "prefect.db"
    address = settings.server.database.connection_url
    if address is not None and address.get_secret_value() == _address(database):
        with suppress(OSError, ShardError, SQLAlchemyError):
            provide(database, Site().cache_folder)


def provide(database: Path, cache: Path) -> None:
    """Make a database with Prefect's tables unless it exists; `cache` has the empty one, compressed.

    A power failure leaves a whole database or none, as does another process that makes it at the same time. Raises
    OSError or ShardError for what cannot be written.
    """
    if database.exists():
        return
    tables = _tables(cache / f"prefect-{prefect.__version__}.db.gz")
    partial = database.with_name(f".{database.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(tables)
        atomic.sync(partial)
        with suppress(FileExistsError):
            database.hardlink_to(partial)  # replaces no database that a server has opened meanwhile
    finally:
        partial.unlink(missing_ok=True)


def _tables(packed: Path) -> bytes:
    """Return an empty database with the tables, from a compressed file, which is made if it is missing or damaged."""
    is_new = False
    with suppress(OSError, EOFError, MemoryError, zlib.error, sqlite3.Error):
        tables = gzip.decompress(packed.read_bytes())  # checks its length and sum
        with closing(sqlite3.connect(":memory:")) as database:
            # memory has no write-ahead log: bytes 18 and 19 say so
            database.deserialize(tables[:18] + b"\1\1" + tables[20:])
            is_new = database.execute(_NEW).fetchall() == [(0, 1)]
    if not is_new:
        tables = _migrated()
        with atomic.replacing(packed) as partial:
            partial.write_bytes(gzip.compress(tables))
    return tables


def _migrated() -> bytes:
    """Return a new database with all of Prefect's migrations."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "prefect.db"
        # for the migrations alone: the server of this process has a database of its own
        here = AioSqliteConfiguration(connection_url=_address(database))
        with temporary_database_config(here):
            asyncio.run(provide_database_interface().create_db())
        return database.read_bytes()


def _address(database: Path) -> str:
    return f"sqlite+aiosqlite:///{database}"
