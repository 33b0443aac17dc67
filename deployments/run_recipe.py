"""Run a recipe in this process, or as a Prefect flow if a Prefect server is named, which then records the run."""

from datetime import date
from typing import Any

from bitext_pivot import flows
from bitext_pivot.core.site import Site
from bitext_pivot.deployments.server_address import server_address
from bitext_pivot.tasks.run.current_run import local_run


def run_recipe(flow: str, name: str, *arguments: Any) -> Any:
    """Run the flow of a recipe and return its result. A Prefect server shows the run as `name` with today's date.

    Raises SourceError if the server does not answer, SettingsError if the workers of `Site.runner` are not available.
    """
    if not server_address():
        with local_run(Site()):
            return flows.stages(flow)(*arguments)
    from bitext_pivot.deployments.named_server import check_server, report_stop
    from bitext_pivot.tasks.run import signals

    signals.before_end.append(report_stop)
    check_server()
    run_name = f"{name}, {date.today()}"
    return flows.load(flow).with_options(flow_run_name=lambda: run_name)(*arguments)
