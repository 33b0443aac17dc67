"""Packages that one input, recipe or command needs: the extras of pyproject.toml."""

from importlib.util import find_spec
from typing import Literal

from bitext_pivot.core.errors import SettingsError

Extra = Literal["discourse", "llm", "research", "dask", "slurm"]


def require(module: str, extra: Extra, purpose: str, otherwise: str = "") -> None:
    """Raise SettingsError that names the extra unless `module` is installed.

    `purpose` is what needs it, the subject of the message; `otherwise` what to do without it: `choose rules`.
    """
    if not find_spec(module):
        raise SettingsError(
            f"{purpose} needs the package {module}, which is not installed here. Install it with "
            f"`pip install 'bitext-pivot[{extra}]'`{otherwise and f', or {otherwise}'}."
        )
