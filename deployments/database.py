"""The database of the Prefect server: SQLite in its folder, or PostgreSQL by one setting (docs/scaling.md).

Prefect reads the address from an environment variable, which no list of processes shows. Only the server gets it: a
worker and its runs call the server, never its database.
"""

import asyncio
from collections.abc import Mapping

from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.untrusted import keep_address, shown

VARIABLE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
SETTING = "BITEXT_PIVOT_SERVE_DATABASE"
OLDEST = 140_009
"""PostgreSQL 14.9, the oldest that Prefect 3 works with, as `server_version_num`."""
_PATIENCE = 10.0  # seconds to wait for an answer of the database
_QUERY = text(
    "SELECT current_setting('server_version_num')::int, current_setting('server_version'), "
    "coalesce(has_schema_privilege('public', 'CREATE'), false) AND has_database_privilege(current_database(), 'CREATE')"
)


def server_variables(address: SecretStr | None, variables: Mapping[str, str]) -> dict[str, str]:
    """Return what the server's environment has besides a worker's: the database's address and its password.

    `variables` is the caller's environment. `postgresql://` is completed to the driver that Prefect uses; None means
    SQLite. Raises SettingsError, in words without the password, for another kind of address and for a database that
    cannot be opened, is too old, or in which the user may not create tables.
    """
    secrets = {name: value for name, value in variables.items() if _is_secret(name)}
    if address is None:
        return secrets
    url = _parse(address.get_secret_value())
    if url.get_backend_name() == "postgresql":
        _check(url)
    return secrets | {VARIABLE: url.render_as_string(hide_password=False)}


def worker_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the database's address and password, for a worker and its runs."""
    return {name: value for name, value in variables.items() if not _is_secret(name)}


def _is_secret(name: str) -> bool:
    return name.startswith("PREFECT_SERVER_DATABASE_") or name in {SETTING, "PGPASSWORD"}


def _parse(address: str) -> URL:
    keep_address(address)
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


def _check(url: URL) -> None:
    """Connect as the server will; raise SettingsError if it could not work."""
    database = url.set(query={}).render_as_string(hide_password=True)  # options may hold a password, too
    try:
        number, version, may_create = asyncio.run(asyncio.wait_for(_query(url), _PATIENCE))
    except (SQLAlchemyError, OSError, ValueError, TypeError) as error:
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0] or f"no answer in {_PATIENCE:.0f} s"
        raise SettingsError(
            f"The database {database} does not let the server in ({shown(reason)}). Expected a PostgreSQL that runs, "
            f"with this user and database. Set {SETTING}, or create them: CREATE ROLE {url.username} LOGIN PASSWORD "
            f"'...'; CREATE DATABASE {url.database} OWNER {url.username};"
        ) from None  # the chain would show the address with its password
    if number < OLDEST:
        raise SettingsError(f"The database {database} is PostgreSQL {version}; Prefect needs 14.9 or newer.")
    if not may_create:
        raise SettingsError(
            f"The user {url.username} may not make tables in {database}. Make it the owner: "
            f"ALTER DATABASE {url.database} OWNER TO {url.username};"
        )


async def _query(url: URL) -> tuple[int, str, bool]:
    """Return the database's version as a number and as text, and whether the user may create tables."""
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            number, version, may_create = (await connection.execute(_QUERY)).one()
    finally:
        await engine.dispose()
    return int(number), str(version), bool(may_create)
