"""Parsing of command lines by argparse: the nearest of unknown options and commands; rare options hidden."""

import argparse
import re
import sys
from typing import Any, Never

from bitext_pivot.core.similar import similar

_WIDTH = 80
_NO_DEFAULT = re.compile(r" ?\(default: (?:null|None|\[\]|)\)$")
_WHOLE = "--export.statement"
"""A group that is given whole, as JSON: texts of a card, for which a preset has room."""
_LISTED = 6
"""Options of a group that a message names."""
_REPLACED = {
    "verify": "is gone. In the folder of a data set, run `sha256sum -c SHA256SUMS`; on macOS, "
    "`shasum -a 256 -c SHA256SUMS`.",
    "--from-card": "is now --preset.",
}
"""What to use instead of commands and options of earlier versions."""


class CommandParser(argparse.ArgumentParser):
    """An argument parser that suggests the nearest word for an unknown one, and knows `--help-all`.

    Give `record_option`, `record_group` and `record_commands` to `CliSettingsSource` as its methods to add options,
    groups of options and subcommands. A group is no option, but its settings are.
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
        parser = cls(
            prog=distribution, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.usage = "%(prog)s COMMAND [OPTIONS]"
        parser.shows_all = shows_all
        parser.add_argument(
            "--version",
            action="store_true",
            default=argparse.SUPPRESS,
            help="show the version and exit",
        )
        return parser

    def error(self, message: str) -> Never:
        """Exit with 2 and the message."""
        wrong = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        unknown = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        word = unknown[1] if unknown else wrong
        if word in _REPLACED:
            message = f"{word} {_REPLACED[word]}"
        elif unknown:
            near = similar(unknown[1], re.findall(r"\w+", unknown[2]))
            hint = f"Did you mean {near[0]}?" if near else "--help lists them."
            message = f"{unknown[1]} is no command. {hint}"
        elif wrong.startswith("-"):
            members = [name for name in self.options if name.startswith(f"{wrong}.")]
            near = members or similar(wrong, self.options)
            if near:
                message += f". Did you mean {', '.join(near[:_LISTED])}?"
        super().error(message)

    def print_help(self, file: Any = None) -> None:
        """Print the help. Raises OSError, which argparse ignores, if it cannot be written."""
        (file or sys.stdout).write(self.format_help())

    def record_option(self, parser: argparse.ArgumentParser, *names: str, **options: Any) -> None:
        """Add an option to this parser, a group of it or a subcommand.

        Those of groups inside groups, and groups given whole, are hidden from the help unless it shows all.
        """
        metavar = options.get("metavar", "")
        is_group = metavar == "JSON" and names[0] != _WHOLE
        if is_group or names[0].startswith(f"{_WHOLE}."):
            return
        self.options += [name for name in names if name.startswith("-")]
        is_rare = names[0].count(".") > 1 or names[0] == _WHOLE
        if is_rare and not self.shows_all:
            options["help"] = argparse.SUPPRESS
        if len(metavar) > _WIDTH:
            options["metavar"] = "WORD"
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


def _join_lines(options: dict[str, Any], name: str) -> None:
    """Put a docstring on one line: completion shows a first line only, and groups keep line breaks."""
    if options.get(name):
        options[name] = " ".join(options[name].split())
