"""The database of the Prefect server: SQLite in the server's folder, or PostgreSQL (docs/scaling.md).

Prefect reads the address from an environment variable, which `ps` does not show to other users. Only the server gets
the variable, because a worker and its runs call the server and never its database.
"""

from collections.abc import Mapping

from pydantic import SecretStr
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.untrusted import keep_address

VARIABLE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
SETTING = "BITEXT_PIVOT_SERVE_DATABASE"


def server_variables(address: SecretStr | None, variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that only the server gets: the database's address and its password.

    `variables` is the caller's environment. Prefect's driver is added to `postgresql://`; None means SQLite. Raises
    SettingsError, without the password in its message, for another kind of address. If the database cannot be opened,
    the server ends and its log has the reason.
    """
    secrets = {name: value for name, value in variables.items() if _is_secret(name)}
    if address is None:
        return secrets
    url = _parse(address.get_secret_value())
    return secrets | {VARIABLE: url.render_as_string(hide_password=False)}


def worker_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a worker and its runs, without the database's address and password."""
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
        # The message does not repeat the address, which may contain a password.
        raise SettingsError(
            f"{SETTING} cannot be read as the address of a database that Prefect works with. Expected "
            "postgresql://user:password@host:5432/database, with signs such as @ and / in the password written as "
            "%40 and %2F."
        )
    return url.set(drivername="postgresql+asyncpg")
