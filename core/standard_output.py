"""Print the results of commands on standard output."""

import sys

from rich.console import Console, RenderableType

from bitext_pivot.core.untrusted import safe

_WIDE = 200
"""Width, in characters, of a wide table that is written to a file or a pipe."""


class _Screen(Console):
    """A console on standard output that raises an error if standard output is a closed pipe."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, so that the command can choose its exit status."""
        raise BrokenPipeError


screen = _Screen()


def columns() -> int:
    """Return the width of wide tables, in characters."""
    return Console().width if sys.stdout.isatty() else _WIDE


def show(text: RenderableType, *, wrap: bool = True, wide: bool = False) -> None:
    """Print a text or a table, with secrets and control characters replaced.

    `wrap` breaks lines at the width of the screen. `wide` lets a table be wider than a screen in a file or a pipe.
    """
    text = safe(text) if isinstance(text, str) else text
    console = _Screen(width=columns(), stderr=screen.stderr) if wide else screen
    console.print(text, markup=False, highlight=False, soft_wrap=not wrap)
