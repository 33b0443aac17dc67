"""An argparse parser that suggests the nearest option for a misspelt one, and hides rare options."""

import argparse
import re
import sys
from typing import Any, Never

from bitext_pivot.core.similar import similar

_WIDTH = 80
_NO_DEFAULT = re.compile(r" ?\(default: (?:null|None|\[\]|)\)$")
_WHOLE = "--export.statement"
"""The option for the texts on a card, a group of settings that the help shows as one JSON value."""
_LISTED = 6
"""Maximum number of similar options that an error message lists."""
_REPLACED = {
    "verify": "is gone. In the folder of a data set, run `sha256sum -c SHA256SUMS`; on macOS, "
    "`shasum -a 256 -c SHA256SUMS`.",
    "--from-card": "is now --preset.",
}
"""Replacements for commands and options of earlier versions."""


class CommandParser(argparse.ArgumentParser):
    """An argument parser that suggests similar options or commands for a misspelt one, and adds `--help-all`.

    Pass `record_option`, `record_group` and `record_commands` to `CliSettingsSource`, which calls them to add options,
    groups and subcommands. A group of settings is not an option, but each setting in the group is.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(usage="%(prog)s [OPTIONS]", **options)
        self.add_argument("--help-all", action="help", help="also show rare options, and exit")
        self.options = ["--help", "--help-all", "--version"]
        """Names of all options, including the options of subcommands."""
        self.shows_all = False

    @classmethod
    def of(cls, distribution: str, epilog: str, *, shows_all: bool) -> "CommandParser":
        """Return the parser of the command line that begins with the command `distribution`.

        `epilog` ends the help. With `shows_all`, the help includes rare options.
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
        """Print an error message, with a suggestion for a misspelt word, and exit with status 2."""
        wrong = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        unknown = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        word = unknown[1] if unknown else wrong
        if word in _REPLACED:
            message = f"{word} {_REPLACED[word]}"
        elif unknown:
            near = similar(unknown[1], re.findall(r"\w+", unknown[2]))
            hint = f"Did you mean {near[0]}?" if near else "--help lists them."
            message = f"There is no command {unknown[1]!r}. {hint}"
        elif wrong.startswith("-"):
            members = [name for name in self.options if name.startswith(f"{wrong}.")]
            near = members or similar(wrong, self.options)
            if near:
                message += f". Did you mean {', '.join(near[:_LISTED])}?"
        super().error(message)

    def print_help(self, file: Any = None) -> None:
        """Print the help. Raises OSError if it cannot be written; argparse would ignore this error."""
        (file or sys.stdout).write(self.format_help())

    def record_option(self, parser: argparse.ArgumentParser, *names: str, **options: Any) -> None:
        """Add an option to this parser, to one of its groups or to a subcommand.

        Rare options are hidden unless the help shows all: options of nested groups, and groups given as one JSON value.
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
        """Add a group of options. A group with hidden options gets no description."""
        if "." in options["title"] and not self.shows_all:
            options["description"] = None
        _join_lines(options, "description")
        return parser.add_argument_group(**options)

    def record_commands(self, parser: argparse.ArgumentParser, **options: Any) -> Any:
        """Add the list of subcommands to the parser, and return it."""
        self.commands = parser.add_subparsers(prog=self.prog, **options)
        return self.commands

    def name_commands(self) -> None:
        """Show COMMAND in the usage instead of all subcommands, a list that would not be wrapped."""
        # Argparse takes the width of the column of commands from this word.
        self.commands.metavar = "COMMAND [OPTIONS]"


def _name_in_usage(parser: argparse.ArgumentParser, word: str, number: Any) -> None:
    """Add a positional argument to a parser's usage, in brackets if the argument is optional."""
    shown = word
    if number in {"?", "*"}:
        shown = f"[{word}]"
    parser.usage = (parser.usage or "").replace(" [OPTIONS]", f" {shown} [OPTIONS]")


def _join_lines(options: dict[str, Any], name: str) -> None:
    """Join the lines of the text `options[name]`, in place.

    Shell completion shows only the first line of a text, and the help of a group keeps line breaks.
    """
    if options.get(name):
        options[name] = " ".join(options[name].split())
