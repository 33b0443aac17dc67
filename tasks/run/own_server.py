"""Prefect's server for one command: its API alone, without pages and without what deployments need.

    python -m bitext_pivot.tasks.run.own_server HOST PORT

The command of Prefect starts schedules, late runs, foreman and others for deployments, which a build has not.
"""

import logging
import sys

import uvicorn
from prefect.server.api.server import create_app


def main(host: str, port: int) -> None:
    """Serve until a signal comes."""
    uvicorn.run(
        create_app(ephemeral=True, final=True), host=host, port=port, log_level=logging.WARNING
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
