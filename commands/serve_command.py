"""`bitext-pivot serve`, `stop` and `status`: run the Prefect UI on this machine."""

import sys

from bitext_pivot.core.settings import Settings


class Serve(Settings):
    """Start the Prefect server, a worker and all deployments, on this machine only."""

    def cli_cmd(self) -> None:
        """Start the processes that are not running yet. Flow runs use the current folder as working folder."""
        from bitext_pivot.deployments.serve import run

        run("start")


class Stop(Settings):
    """Stop the processes that `serve` started. Interrupted runs can be continued with Retry."""

    def cli_cmd(self) -> None:
        """Stop the worker and its runs, then the server."""
        from bitext_pivot.deployments.serve import run

        run("stop")


class Status(Settings):
    """Show whether the Prefect server and the worker are running."""

    def cli_cmd(self) -> None:
        """Print the status, and exit with 1 if the server or the worker is not running."""
        from bitext_pivot.deployments.serve import run

        sys.exit(run("status"))
