"""Prefect's server, closed to foreign web pages, with SQLite transactions that wait for the write lock.

    PREFECT_SERVER_API_PORT=4200 python -m bitext_pivot.deployments.server

All settings are Prefect's. Pages at PREFECT_SERVER_CORS_ALLOWED_ORIGINS may use the server, too.

Prefect starts most transactions as readers. SQLite refuses the writes of such a transaction if another connection wrote
in the meantime, and the server answers 503. BEGIN IMMEDIATE waits for the write lock at the start
(docs/decisions/0021).
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import uvicorn
from prefect.server.api.server import create_app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import set_database_config
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL, get_current_settings
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction

from bitext_pivot.deployments.protected_pages import protect
from bitext_pivot.deployments.stored_text import StoredTextCheck


class ImmediateSqlite(AioSqliteConfiguration):
    """Prefect's SQLite configuration with BEGIN IMMEDIATE for every explicit transaction."""

    @asynccontextmanager
    async def begin_transaction(
        self, session: AsyncSession, with_for_update: bool = True
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Enter a transaction that holds the write lock, even if `with_for_update` is false."""
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


def main() -> None:
    """Serve Prefect's API and UI until a signal arrives. A SQLite database is used through `ImmediateSqlite`."""
    address = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if address.startswith("sqlite"):
        set_database_config(ImmediateSqlite(connection_url=address))
    server = get_current_settings().server
    application = create_app(final=True)
    protect(
        application,
        server.api.cors_allowed_origins.split(","),
        has_password=server.api.auth_string is not None,
    )
    application.add_middleware(StoredTextCheck)
    uvicorn.run(
        application,
        host=server.api.host,
        port=server.api.port,
        timeout_keep_alive=server.api.keepalive_timeout,
        ws_ping_interval=server.api.websocket_ping_interval,
        ws_ping_timeout=server.api.websocket_ping_timeout,
        log_level=server.logging_level.lower(),
    )


if __name__ == "__main__":
    os.umask(0o077)  # for the database and the temporary files of SQLite
    main()
