"""`bitext-pivot serve`, `stop` and `status`: the Prefect UI on this machine."""

import sys

from bitext_pivot.core.settings import Settings


class Serve(Settings):
    """Start the Prefect server, a worker and all deployments, on this machine only."""

    def cli_cmd(self) -> None:
        """Start what is not up; runs work in the current folder."""
        from bitext_pivot.deployments.serve import run

        run("start")


class Stop(Settings):
    """Stop what `serve` started; runs that were cut off offer Retry."""

    def cli_cmd(self) -> None:
        """End the worker with its runs, then the server."""
        from bitext_pivot.deployments.serve import run

        run("stop")


class Status(Settings):
    """Show whether the server and the worker are up."""

    def cli_cmd(self) -> None:
        """Exit with 1 if one of them is down."""
        from bitext_pivot.deployments.serve import run

        sys.exit(run("status"))
