"""Find the address of the Prefect server that records runs, without importing Prefect."""

import os
from itertools import starmap
from pathlib import Path

ADDRESS = "PREFECT_API_URL"
FILES = {".env": "prefect_", "prefect.toml": "", "pyproject.toml": "[tool.prefect"}
"""Names of files in the working folder from which Prefect reads settings. A file counts only if it contains the text
beside its name."""


def server_address() -> str | None:
    """Return the address of the Prefect server that records runs, or None.

    The address may be set in the environment, or in a file that Prefect reads. Prefect is imported only if such a file
    contains settings of Prefect, because the import takes 2 CPU seconds.
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
