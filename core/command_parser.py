"""Parsing of command lines by argparse: the nearest of unknown options and commands; rare options hidden."""

import argparse
import re
import sys
from collections.abc import Callable, Collection
from typing import Any, Never

from bitext_pivot.core.similar import similar

_WIDTH = 80
_OR_NULL = ",null}"
_NO_DEFAULT = re.compile(r" ?\(default: (?:null|None|\[\]|)\)$")
_SLIP = 0.8  # likeness of an option and what is typed for it; those of other commands take seconds to import


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
        self.options_of_others: Callable[[], Collection[str]] = tuple
        """Return the options of commands that this parser does not have: called for an error only."""
        self.shows_all = False

    @classmethod
    def of(cls, distribution: str, epilog: str, *, shows_all: bool) -> "CommandParser":
        """Return the root parser of the command that a distribution installs under its own name.

        `shows_all`: the help has the options of groups inside groups, too.
        """
        parser = cls(
            prog=distribution, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.usage = "%(prog)s COMMAND [OPTIONS]"
        parser.shows_all = shows_all
        parser.add_argument("--version", action=_ShowVersion, help="show the version and exit")
        return parser

    def error(self, message: str) -> Never:
        """Exit with 2 and the message."""
        wrong = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        if unknown := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            near = similar(unknown[1], re.findall(r"\w+", unknown[2]))
            hint = f"Did you mean {near[0]}?" if near else "--help lists them."
            message = f"{unknown[1]} is no command. {hint}"
        elif wrong.startswith("-"):
            message += self._hint(wrong)
        super().error(message)

    def _hint(self, wrong: str) -> str:
        """Return what is meant by an option that is not known, "" if nothing is like it."""
        if wrong in self.options:
            return f". {wrong} is an option of another command."
        near = similar(wrong, self.options)
        if not similar(wrong, near, likeness=_SLIP) and wrong in self.options_of_others():
            return f". {wrong} is an option of another command."
        if near:
            return f". Did you mean {near[0]}?"
        return ""

    def record_option(self, parser: argparse.ArgumentParser, *names: str, **options: Any) -> None:
        """Add an option to this parser, a group of it or a subcommand.

        Those of groups inside groups, and whole groups as JSON, are hidden from the help unless it shows all.
        """
        self.options += [name for name in names if name.startswith("-")]
        is_rare = names[0].count(".") > 1 or options.get("metavar") == "JSON"
        if is_rare and not self.shows_all:
            options["help"] = argparse.SUPPRESS
        metavar = options.get("metavar") or ""
        if len(metavar) > _WIDTH:
            options["metavar"] = "WORD"
        elif metavar.endswith(_OR_NULL):
            options["metavar"] = _without_null(metavar)
        if not names[0].startswith("-"):
            _name_in_usage(parser, options.get("metavar") or names[0].upper(), options.get("nargs"))
        _join_lines(options, "help")
        if options.get("help"):
            options["help"] = _NO_DEFAULT.sub("", options["help"])
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
        self.commands.metavar = (
            "COMMAND [OPTIONS]"  # as wide as the list, which argparse indents without room
        )


def _name_in_usage(parser: argparse.ArgumentParser, word: str, number: Any) -> None:
    """Add an argument that is given by its place to the usage, in brackets if it may be left out."""
    shown = word
    if number in {"?", "*"}:
        shown = f"[{word}]"
    parser.usage = (parser.usage or "").replace(" [OPTIONS]", f" {shown} [OPTIONS]")


def _without_null(metavar: str) -> str:
    """Return the types of an option without `null`, which stands for "not given": `{str,null}` is `str`."""
    types = metavar.removeprefix("{").removesuffix(_OR_NULL)
    if "," in types:
        return f"{{{types}}}"
    return types


def _join_lines(options: dict[str, Any], name: str) -> None:
    """Put a docstring on one line: completion shows a first line only, and groups keep line breaks."""
    if options.get(name):
        options[name] = " ".join(options[name].split())


class _ShowVersion(argparse.Action):
    """Print the version of the distribution and exit."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> Never:
        """Print the line; the metadata of distributions take a while to import."""
        import importlib.metadata

        sys.stdout.write(f"{parser.prog} {importlib.metadata.version(parser.prog)}\n")
        parser.exit()
