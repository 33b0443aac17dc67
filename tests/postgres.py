"""A PostgreSQL server on 127.0.0.1 in a temporary folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from served import free_port

USER, PASSWORD = "builder", "p@ss/word:77"  # characters that a URL must write as %40, %2F and %3A
QUOTED = "p%40ss%2Fword%3A77"


def binaries() -> Path | None:
    """Return the folder with PostgreSQL's programs, or None."""
    found = [Path(path).resolve() for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return found[0].parent if found else None


class Postgres:
    """A server with one user."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs, self.port = folder, programs, free_port()

    def run(self, program: str, *arguments: str, **environment: str) -> str:
        """Run one of PostgreSQL's programs, not as root, which they refuse."""
        other: dict[str, Any] = (
            {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        )
        done = subprocess.run(
            [str(self.programs / program), *arguments], cwd=self.folder, env=os.environ | environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, **other,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return str(done.stdout)

    def sql(self, command: str, database: str = "postgres") -> str:
        """Run SQL as the superuser; return rows with `|` between columns."""
        return self.run(
            "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database, "-AtXc", command,
            PGPASSWORD=PASSWORD,
        ).strip()  # fmt: skip

    def address(self, database: str, password: str = QUOTED) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{database}"


@contextmanager
def postgres(*, fsync: bool = False) -> Iterator[Postgres]:
    """Yield a running server with the database `prefect`; skip the test if PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("needs PostgreSQL (Debian's package postgresql), which is not installed here")
    # The path is short and open to other users, because the socket and the user of PostgreSQL need it.
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        folder = Path(name)
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
            shutil.chown(secret, "nobody", "nogroup")
        server, data = Postgres(folder, programs), str(folder / "data")
        server.run(
            "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            f"--pwfile={secret}",
            "-A",
            "scram-sha-256",
            "--no-sync",
        )
        options = f"-p {server.port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync={'on' if fsync else 'off'}"
        # its own log file: a pipe to a process that lives on would keep `run` waiting
        server.run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            server.sql(f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'")
            server.sql(f"CREATE DATABASE prefect OWNER {USER}")
            yield server
        finally:
            server.run("pg_ctl", "-D", data, "-m", "immediate", "stop")
