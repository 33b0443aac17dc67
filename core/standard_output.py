"""What commands print on standard output."""

import sys

from rich.console import Console, RenderableType

from bitext_pivot.core.untrusted import safe

_WIDE = 200
"""Columns of a table that is written to a file or a pipe."""


class _Screen(Console):
    """Standard output; without a reader the command ends, and its status says so."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, in place of an end with another status."""
        raise BrokenPipeError


screen = _Screen()


def columns() -> int:
    """Return the width of wide tables."""
    return Console().width if sys.stdout.isatty() else _WIDE


def show(text: RenderableType, *, wrap: bool = True, wide: bool = False) -> None:
    """Print text without markup or colours of its own; `wrap` breaks lines at the width of the screen.

    Secrets and control characters in it are replaced. `wide`: a table that no screen bounds in a file or a pipe.
    """
    text = safe(text) if isinstance(text, str) else text
    console = _Screen(width=columns(), stderr=screen.stderr) if wide else screen
    console.print(text, markup=False, highlight=False, soft_wrap=not wrap)
