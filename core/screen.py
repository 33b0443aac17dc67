"""What commands print on standard output."""

import sys

from rich.console import Console, RenderableType

from bitext_pivot.core.untrusted import safe

_WIDE = 200
"""Columns of a table that is written to a file or a pipe."""

screen = Console()


def columns() -> int:
    """Return the width of tables."""
    return Console().width if sys.stdout.isatty() else _WIDE


def show(text: RenderableType, *, wrap: bool = True) -> None:
    """Print text without markup or colours of its own; `wrap` breaks lines at the width of the screen.

    Secrets and control characters in it are replaced.
    """
    text = safe(text) if isinstance(text, str) else text
    screen.print(text, markup=False, highlight=False, soft_wrap=not wrap)
