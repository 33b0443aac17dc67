"""Prefect's command line, with SQLite transactions that wait for the write lock instead of failing.

    python -m bitext_pivot.deployments.server server start --host 127.0.0.1 --port 4200

Prefect begins most transactions as readers. One that then writes is refused if another connection wrote in between, and
the server answers 503. BEGIN IMMEDIATE takes the write lock first, and waits for it (docs/decisions/0021).
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prefect.cli import app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import set_database_config
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction


class ImmediateSqlite(AioSqliteConfiguration):
    """Prefect's SQLite configuration, except that every explicit transaction begins IMMEDIATE."""

    @asynccontextmanager
    async def begin_transaction(
        self, session: AsyncSession, with_for_update: bool = True
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Enter a transaction that holds the write lock, whatever `with_for_update` says."""
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


def main() -> None:
    """Run a Prefect command, with this configuration if the database is SQLite."""
    address = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if address.startswith("sqlite"):
        set_database_config(ImmediateSqlite(connection_url=address))
    app()


if __name__ == "__main__":
    main()
