"""Run a recipe in this process, or as a Prefect flow if a Prefect server is named, which then records the run."""

import os
from datetime import date
from itertools import starmap
from pathlib import Path
from typing import Any

from bitext_pivot import flows
from bitext_pivot.core.site import Site
from bitext_pivot.tasks.run.current_run import local_run

ADDRESS = "PREFECT_API_URL"
FILES = {".env": "prefect_", "prefect.toml": "", "pyproject.toml": "[tool.prefect"}
"""Files in the working folder in which Prefect looks for settings, and the beginning of their names there."""


def run_recipe(flow: str, name: str, *arguments: Any) -> Any:
    """Run the stages of a flow and return their result. A server shows the run as `name` with today's date.

    Raises SourceError if the server does not answer, SettingsError if the workers of `Site.runner` are not available.
    """
    if server_address() is None:
        with local_run(Site()):
            return flows.stages(flow)(*arguments)
    from bitext_pivot.deployments.named_server import check_server, report_stop
    from bitext_pivot.tasks.run import signals

    signals.before_end.append(report_stop)
    check_server()
    run_name = f"{name}, {date.today()}"
    return flows.load(flow).with_options(flow_run_name=lambda: run_name)(*arguments)


def server_address() -> str | None:
    """Return the address of the Prefect server that records runs, or None.

    It may be in the environment, or in a file that Prefect reads. Prefect is imported only if a file names settings of
    Prefect, because the import takes 2 CPU seconds.
    """
    if address := os.environ.get(ADDRESS):
        return address
    home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    profiles = os.environ.get("PREFECT_PROFILES_PATH") or home / "profiles.toml"
    if not any(starmap(contains_text, [*FILES.items(), (profiles, ADDRESS)])):
        return None
    from prefect.settings import get_current_settings

    return get_current_settings().api.url


def contains_text(name: str | Path, text: str) -> bool:
    """Return True if a file exists and contains a text, in upper or lower case."""
    path = Path(name)
    return path.is_file() and text.casefold() in path.read_text("utf-8", "replace").casefold()
