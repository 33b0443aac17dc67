"""Prefect's command line, with SQLite transactions that wait for the write lock instead of failing.

    python deployments/server.py server start --host 127.0.0.1 --port 4200

Prefect begins most transactions on SQLite as readers (BEGIN DEFERRED). A transaction that has read, and writes after
another connection has written, is refused at once with SQLITE_BUSY_SNAPSHOT, whatever the busy timeout is: the server
answers 503, and a browser does not repeat the request. Flow run creation reads first, and the worker's polls and the
background services write all the time. BEGIN IMMEDIATE takes the write lock first and waits for it, up to Prefect's
busy timeout of 60 s (https://www.sqlite.org/lang_transaction.html). Reads outside of transactions are not affected.

Prefect's page of a run lists artifacts by descending identifier, and gives them random ones. Here identifiers grow with
time, as those of runs do, so that the newest artifact is the first: the report of a build that ended.

Prefect checks the form of a deployment against the schema of JSON schemas, twice whenever the deployment is registered:
5.5 CPU seconds for 15 deployments with two forms (2026-11-23), here 0.9.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from jsonschema import Draft202012Validator
from prefect.cli import app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import set_database_config
from prefect.server.schemas import core
from prefect.server.utilities.schemas.bases import TimeSeriesBaseModel
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction


class ImmediateSqlite(AioSqliteConfiguration):
    """Prefect's SQLite configuration, except that every explicit transaction begins IMMEDIATE."""

    @asynccontextmanager
    async def begin_transaction(
        self,
        session: AsyncSession,
        with_for_update: bool = True,  # noqa: ARG002 -- the signature is Prefect's
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Enter a transaction that holds the write lock, whatever `with_for_update` says."""
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


class OrderedArtifact(TimeSeriesBaseModel, core.Artifact):
    """Prefect's artifact, with an identifier that grows with time."""


def check_schemas_once() -> None:
    """Skip the check of JSON schemas that have passed it in this process."""
    check, passed = Draft202012Validator.check_schema, set[str]()

    def check_once(schema: Any, **options: Any) -> None:
        text = json.dumps(schema, sort_keys=True)
        if text not in passed:
            check(schema, **options)
            passed.add(text)

    Draft202012Validator.check_schema = staticmethod(check_once)


def main() -> None:
    """Run a Prefect command with ordered artifacts, and with this configuration if the database is SQLite."""
    check_schemas_once()
    core.Artifact = OrderedArtifact  # type: ignore[misc]
    address = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if address.startswith("sqlite"):
        set_database_config(ImmediateSqlite(connection_url=address))
    app()


if __name__ == "__main__":
    main()
