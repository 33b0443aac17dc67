"""Prefect's server for one command: its API alone, without pages and without what deployments need.

    python -m bitext_pivot.deployments.command_server HOST PORT

It ends when its standard input does: the command holds the other end, and may be killed.
The command of Prefect starts schedules, late runs, foreman and others for deployments, which a build has not.
"""

import logging
import os
import signal
import sys
from threading import Thread

import uvicorn

from bitext_pivot.core import garbage_collection


def main(host: str, port: int) -> None:
    """Serve until a signal comes, or the command has ended."""
    garbage_collection.collect_rarely()
    from prefect.server.api.server import create_app  # 2,200 modules

    from bitext_pivot.deployments import server_tables

    server_tables.prepare()
    Thread(target=_end_with_command, daemon=True).start()
    uvicorn.run(
        create_app(ephemeral=True, final=True), host=host, port=port, log_level=logging.WARNING
    )


def _end_with_command() -> None:
    os.read(sys.stdin.fileno(), 1)  # without the lock of `sys.stdin`, which an exit would wait for
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    os.umask(0o077)  # its database
    main(sys.argv[1], int(sys.argv[2]))
