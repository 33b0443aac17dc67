"""SQLite transactions of the server hold the write lock from their beginning: this fails if Prefect changes."""

import asyncio
import sqlite3
from pathlib import Path

import pytest


@pytest.mark.system
def test_the_server_begins_transactions_immediate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.server.database import dependencies
    from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL, temporary_settings

    from bitext_pivot.deployments import server

    path = tmp_path / "prefect.db"
    sqlite3.connect(path).execute("CREATE TABLE t (a)")
    monkeypatch.setattr(
        "uvicorn.run", lambda *_, **__: asyncio.run(_read_while_another_writes(path))
    )
    with temporary_settings({PREFECT_API_DATABASE_CONNECTION_URL: f"sqlite+aiosqlite:///{path}"}):
        try:
            server.main()
        finally:
            dependencies.set_database_config(None)


async def _read_while_another_writes(path: Path) -> None:
    from prefect.server.database import provide_database_interface
    from sqlalchemy import text

    database = provide_database_interface()
    async with database.session_context(begin_transaction=True) as session:
        await session.execute(text("SELECT a FROM t"))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            sqlite3.connect(path, timeout=0).execute("BEGIN IMMEDIATE")
