"""What commands print: texts, the variables that they read, and refused values in one line each."""

import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence

from pydantic import BaseModel, ValidationError
from rich.console import Console, RenderableType

from bitext_pivot.core.data import parse_json
from bitext_pivot.core.refused_values import joined, located
from bitext_pivot.core.untrusted import safe

_WIDTH = 80
_WIDE = 200
"""Columns of a table that is written to a file or a pipe."""
_SETTING = re.compile(r"(?<![\w./-])\w+(?:\.\w+)+")
"""A setting in a group, such as `translation.model`."""

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


def environment(model: type[BaseModel], prefix: str) -> str:
    """Describe the environment variables that settings are read from, two indented lines or more each."""
    lines = ["environment variables:"]
    for name, field in model.model_fields.items():
        default = "" if field.default is None else f" (default: {field.default})"
        lines.append(f"  {prefix}{name.upper()}")
        lines += textwrap.wrap(
            f"{field.description}{default}",
            _WIDTH,
            initial_indent=" " * 6,
            subsequent_indent=" " * 6,
        )
    return "\n".join(lines)


def with_options(message: str, options: Collection[str]) -> str:
    """Return a message with the options of settings that it names: `--a.b` for `a.b` if there is one."""

    def option(match: re.Match[str]) -> str:
        name = f"--{match[0]}"
        if name in options:
            return name
        return match[0]

    return _SETTING.sub(option, message)


def option_problems(error: ValidationError, options: Collection[str]) -> Iterator[str]:
    """Yield one line for each value of a command line that is refused; it names the option as it is typed."""
    for problem in error.errors():
        where = joined(problem["loc"][1:])  # without the command
        option = f"--{where}"
        yield located(option if option in options else where, problem)


def unreadable(arguments: Sequence[str], options: Iterable[str]) -> str:
    """Return the message for a command line with a group of settings that is no JSON object."""
    names = sorted(set(options))
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        option, _, value = argument.partition("=")
        members = [name for name in names if name.startswith(f"{option}.")]
        if members and not (value or following).startswith("{"):
            return f"{option} {value or following}: this is a group of settings. Set one of them: {_some(members)}."
        if option.startswith("--") and not _is_readable(value or following):
            return (
                f"{option} {value or following}: this is no JSON. Expected a word, a number, or JSON "
                "for a list or a group."
            )
    return "an option has a value that cannot be read: expected a word, a number, or JSON for a list or a group."


def _is_readable(value: str) -> bool:
    """Return False for a value that begins as a list or a group of JSON and is none."""
    if not value.startswith(("{", "[")):
        return True
    try:
        parse_json(value)
    except ValueError:
        return False
    return True


def _some(names: Sequence[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")
