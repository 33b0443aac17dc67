"""Parsing of command lines: unknown options with the nearest one, refused values in one line each."""

import argparse
import difflib
import importlib.metadata
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Never

from pydantic import BaseModel, ValidationError
from rich.console import Console, RenderableType

from bitext_pivot.core.languages import NAMES
from bitext_pivot.core.untrusted import safe

_WIDTH = 80
_WIDE = 200
"""Columns of a table that is written to a file or a pipe."""

screen = Console()


class CommandParser(argparse.ArgumentParser):
    """An argument parser that suggests the nearest word for an unknown one, and knows `--help-all` and `--version`.

    Give `record_option`, `record_group` and `record_commands` to `CliSettingsSource` as its methods to add options,
    groups of options and subcommands.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(usage="%(prog)s [OPTIONS]", **options)
        self.add_argument("--help-all", action="help", help="show rare options, too, and exit")
        self.options = ["--help", "--help-all", "--version"]
        """All options, of the subcommands too."""
        self.shows_all = False

    @classmethod
    def of(cls, distribution: str, epilog: str, *, shows_all: bool) -> "CommandParser":
        """Return the root parser of the command that a distribution installs under its own name.

        `shows_all`: the help has the options of groups inside groups, too.
        """
        parser = cls(prog=distribution, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.shows_all = shows_all
        version = f"{distribution} {importlib.metadata.version(distribution)}"
        parser.add_argument("--version", action="version", version=version, help="show the version and exit")
        return parser

    def error(self, message: str) -> Never:
        """Exit with 2 and the message."""
        wrong = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        if unknown := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            near = difflib.get_close_matches(unknown[1], re.findall(r"\w+", unknown[2]), n=1)
            message = f"{unknown[1]} is no command. " + (f"Did you mean {near[0]}?" if near else "--help lists them.")
        elif wrong in self.options:
            message += f". {wrong} is an option of another command."
        elif wrong.startswith("-") and (near := difflib.get_close_matches(wrong, self.options, n=1)):
            message += f". Did you mean {near[0]}?"
        super().error(message)

    def record_option(self, parser: argparse.ArgumentParser, *names: str, **options: Any) -> None:
        """Add an option to this parser, a group of it or a subcommand.

        Those of groups inside groups, and whole groups as JSON, are hidden from the help unless it shows all.
        """
        self.options += [name for name in names if name.startswith("-")]
        is_rare = names[0].count(".") > 1 or options.get("metavar") == "JSON"
        if is_rare and not self.shows_all:
            options["help"] = argparse.SUPPRESS
        if len(options.get("metavar") or "") > _WIDTH:
            options["metavar"] = "WORD"
        _join_lines(options, "help")
        parser.add_argument(*names, **options)

    def record_group(self, parser: argparse.ArgumentParser, **options: Any) -> Any:
        """Add a group of options; a group of hidden options is not mentioned."""
        if "." in options["title"] and not self.shows_all:
            options["description"] = None
        _join_lines(options, "description")
        return parser.add_argument_group(**options)

    def record_commands(self, parser: argparse.ArgumentParser, **options: Any) -> Any:
        """Add the list of subcommands."""
        self.commands = parser.add_subparsers(prog=self.prog, **options)
        return self.commands

    def name_commands(self) -> None:
        """Show a word in place of the list of all subcommands, which argparse does not wrap."""
        self.commands.metavar = "COMMAND [OPTIONS]"  # as wide as the list, which argparse indents without room


def _join_lines(options: dict[str, Any], name: str) -> None:
    """Put a docstring on one line: completion shows a first line only, and groups keep line breaks."""
    if options.get(name):
        options[name] = " ".join(options[name].split())


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
            f"{field.description}{default}", _WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6
        )
    return "\n".join(lines)


def problems(error: ValidationError, options: Collection[str] = ()) -> Iterator[str]:
    """Yield one line for each value that a settings model refuses; it names the option as it is typed."""
    for problem in error.errors():
        where = ".".join(str(part) for part in problem["loc"][1:])
        text = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "literal_error":
            text = _nearest(str(problem["input"]), problem["ctx"]["expected"]) or text
        text += _given(problem["input"])
        option = f"--{where}"
        yield f"{option if option in options else where}: {text}" if where else text


def unreadable(arguments: Sequence[str], options: Iterable[str]) -> str:
    """Return the message for a command line with a group of settings that is no JSON object."""
    names = sorted(set(options))
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        option, _, value = argument.partition("=")
        members = [name for name in names if name.startswith(f"{option}.")]
        if members and not (value or following).startswith("{"):
            return f"{option} {value or following}: this is a group of settings. Set one of them: {_some(members)}."
    return "an option has a value that cannot be read: expected a word, a number, or JSON for a list or a group."


def _some(names: Sequence[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")


def _given(value: Any) -> str:
    """Return the refused value; nothing for a whole group of settings."""
    return "" if isinstance(value, dict | BaseModel) else f" (given: {value!r})"


def _nearest(value: str, expected: str) -> str:
    """Suggest the word that is meant among those that pydantic lists, also for a language by its English name."""
    words = expected.replace(" or ", ", ").replace("'", "").split(", ")
    code = NAMES.get(value.casefold(), "")
    near = [code] if code in words else difflib.get_close_matches(value, words, n=1)
    return f"this value is not known. Did you mean {near[0]!r}?" if near else ""
