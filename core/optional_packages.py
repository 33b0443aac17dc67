"""Check that optional packages, the extras of pyproject.toml, are installed."""

from importlib.util import find_spec
from typing import Literal

from bitext_pivot.core.errors import SettingsError

Extra = Literal["discourse", "llm", "research", "dask", "slurm"]


def require(module: str, extra: Extra, purpose: str, otherwise: str = "") -> None:
    """Raise SettingsError unless `module` is installed. The message says how to install `extra`.

    `purpose` is the feature that needs the module; `otherwise` says what to do without it, such as `choose rules`.
    """
    if not find_spec(module):
        raise SettingsError(
            f"{purpose} needs the package {module}, which is not installed. Install it with "
            f"`pip install 'bitext-pivot[{extra}]'`{otherwise and f', or {otherwise}'}."
        )
