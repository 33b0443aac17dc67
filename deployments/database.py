"""The database of the Prefect server: SQLite in its folder, or PostgreSQL by one setting (docs/scaling.md).

Prefect learns of it by an environment variable, which no list of processes shows, and only the server gets it: a worker
and its runs speak with the server, never with its database.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated

from pydantic import AliasChoices, Field, SecretStr
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from pairs.errors import SettingsError

VARIABLE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
SETTING = "BITEXT_PIVOT_SERVE_DATABASE"
OLDEST = 140_009
"""PostgreSQL 14.9, the oldest that Prefect 3 works with, as `server_version_num` tells it."""
Address = Annotated[
    SecretStr | None,
    Field(
        validation_alias=AliasChoices(SETTING, VARIABLE),
        description="Address of a PostgreSQL for the server; without one SQLite.",
    ),
]
_PATIENCE = 10.0  # seconds until a server that says nothing is given up
_FACTS = text(
    "SELECT current_setting('server_version_num')::int, current_setting('server_version'), "
    "coalesce(has_schema_privilege('public', 'CREATE'), false) AND has_database_privilege(current_database(), 'CREATE')"
)


def opened_by(address: SecretStr | None, variables: Mapping[str, str]) -> dict[str, str]:
    """Return what the server's environment has besides a worker's: the database and what may open it.

    `variables`: the caller's environment. `address` is asked first, with `postgresql://` completed to the driver that
    Prefect uses; None means SQLite. Raises SettingsError, in words without the password, when it is not one of
    PostgreSQL or SQLite, does not let the server in, is too old, or lets its user make no tables.
    """
    secrets = {name: value for name, value in variables.items() if _may_hold_a_password(name)}
    if address is None:
        return secrets
    url = _read(address.get_secret_value())
    if url.get_backend_name() == "postgresql":
        _let_in(url)
    return secrets | {VARIABLE: url.render_as_string(hide_password=False)}


def without(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without what may hold the database's password: what a worker and its runs get."""
    return {name: value for name, value in variables.items() if not _may_hold_a_password(name)}


def _may_hold_a_password(name: str) -> bool:
    return name.startswith("PREFECT_SERVER_DATABASE_") or name in {SETTING, "PGPASSWORD"}


def _shown(url: URL) -> str:
    """Return the address as it may be shown: without the password, and without options, which may hold one."""
    return url.set(query={}).render_as_string(hide_password=True)


def _read(address: str) -> URL:
    try:
        url = make_url(address)
    except (SQLAlchemyError, ValueError):
        url = make_url("nothing://")
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        return url
    if kind not in {"postgresql", "postgres"}:
        raise SettingsError(  # the address is not repeated: it may hold a password
            f"{SETTING} cannot be read as the address of a database that Prefect works with. Expected "
            "postgresql://user:password@host:5432/database, with signs such as @ and / in the password written as "
            "%40 and %2F."
        )
    return url.set(drivername="postgresql+asyncpg")


def _let_in(url: URL) -> None:
    """Connect as the server will; raises SettingsError when it could not work."""
    try:
        number, version, free = asyncio.run(asyncio.wait_for(_facts(url), _PATIENCE))
    except (SQLAlchemyError, OSError, ValueError, TimeoutError, TypeError) as error:
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0] or f"no answer in {_PATIENCE:.0f} s"
        raise SettingsError(
            f"The database {_shown(url)} does not let the server in ({reason}). Expected a PostgreSQL that runs, with "
            f"this user and database. Set {SETTING}, or create them: CREATE ROLE {url.username} LOGIN PASSWORD '...'; "
            f"CREATE DATABASE {url.database} OWNER {url.username};"
        ) from None  # the chain would show the address with its password
    if number < OLDEST:
        raise SettingsError(f"The database {_shown(url)} is PostgreSQL {version}; Prefect needs 14.9 or newer.")
    if not free:
        raise SettingsError(
            f"The user {url.username} may not make tables in {_shown(url)}. Make it the owner: "
            f"ALTER DATABASE {url.database} OWNER TO {url.username};"
        )


async def _facts(url: URL) -> tuple[int, str, bool]:
    """Return the database's version as a number and as people write it, and whether our user may make tables."""
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            number, version, free = (await connection.execute(_FACTS)).one()
    finally:
        await engine.dispose()
    return int(number), str(version), bool(free)
