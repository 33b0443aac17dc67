"""Run the stages of a recipe: here, or as a run of Prefect that the server of PREFECT_API_URL records."""

import os
from datetime import date
from typing import Any

from bitext_pivot import flows
from bitext_pivot.core.site import Site
from bitext_pivot.tasks.run.work import locally


def is_recorded() -> bool:
    """Return True if a server of Prefect is named, which is to have the run."""
    return bool(os.environ.get("PREFECT_API_URL"))


def run(flow: str, name: str, *arguments: Any, ends_on_signals: bool = True) -> Any:
    """Run the stages of a flow and return what they return; on a server the run is called `name` and today's date.

    With `ends_on_signals`, for a command, Ctrl-C, SIGTERM and SIGHUP end all at once, and a server learns that the run
    crashed. The signals of a notebook stay as they are: an interrupt must not end its kernel.

    Raises SourceError if the server does not answer, SettingsError for workers that are not there.
    """
    if not is_recorded():
        with locally(Site()):
            return flows.stages(flow)(*arguments)
    from bitext_pivot.deployments.named_server import find_server, report_stop
    from bitext_pivot.tasks.run.signals import end_on_signals

    if ends_on_signals:
        end_on_signals(report_stop)
    find_server()
    run_name = f"{name}, {date.today()}"
    return flows.load(flow).with_options(flow_run_name=lambda: run_name)(*arguments)
