"""Run one command: read its options into its settings, and explain what is refused."""

import argparse
import logging
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pydantic import BaseModel, Field, ValidationError, create_model
from pydantic_settings import CliApp, CliSettingsSource, CliSubCommand
from pydantic_settings import SettingsError as UnreadableError

from bitext_pivot.commands import command_line, custom_code
from bitext_pivot.commands.command import refuse
from bitext_pivot.commands.command_parser import CommandParser
from bitext_pivot.commands.table import COMMANDS
from bitext_pivot.core.errors import (
    AbsentError,
    BuildError,
    EmptyError,
    NoTrainingError,
    SettingsError,
    is_lack_of_memory,
    named_files,
)
from bitext_pivot.core.progress import IN_RESULTS, LogLines
from bitext_pivot.core.refused_values import problems

_STATUS = {SettingsError: 2, AbsentError: 2, EmptyError: 3, NoTrainingError: 4}
"""Status of the command by error, 1 for any other BuildError: running it again may go well."""


class _Commands(BaseModel):
    """Build split-and-rephrase corpora from OPUS bitext."""

    def cli_cmd(self) -> None:
        """Run the subcommand that was named. Raises SettingsError for a form that it makes of its options."""
        try:
            CliApp.run_subcommand(self)
        except ValidationError as error:
            raise SettingsError("\n".join(problems(error))) from error


def commands_model(names: Iterable[str] = COMMANDS) -> type[BaseModel]:
    """Return the model of a command line with the named commands; no other is imported."""
    fields: dict[str, Any] = {}
    for name in names:
        command = COMMANDS[name]
        settings: Any = getattr(
            import_module(f"bitext_pivot.commands.{command.module}"), command.settings
        )
        fields[name] = (CliSubCommand[settings], Field(description=command.summary))  # type: ignore[misc]
    return create_model("Command", __base__=_Commands, **fields)


def command_line_source(
    arguments: Sequence[str],
    names: Iterable[str] = COMMANDS,
) -> CliSettingsSource[CommandParser]:
    """Return what reads a command line with some commands, all unless they are named."""
    from bitext_pivot.core.site import Site

    variables = command_line.environment(Site, "BITEXT_PIVOT_")
    parser = CommandParser.of("bitext-pivot", variables, shows_all="--help-all" in arguments)
    # a plain model: settings read from the environment would meet variables of others
    command: Any = commands_model(names)
    source: CliSettingsSource[CommandParser] = command_line.ListSource(
        command,
        root_parser=parser,
        cli_hide_none_type=True,
        add_argument_method=parser.record_option,
        add_argument_group_method=parser.record_group,
        add_subparsers_method=parser.record_commands,
    )
    parser.name_commands()
    return source


def add_own_settings(parser: CommandParser, command: str, filters: Sequence[str]) -> None:
    """Add the settings of the user's own filters to the options of a command. Raises SettingsError."""
    for name, description in custom_code.settings(filters):
        parser.record_option(
            parser.commands.choices[command],
            f"--{name}",
            dest=f"{command}.{name}",
            default=argparse.SUPPRESS,
            metavar="VALUE",
            help=description.replace("%", "%%"),
        )


def run(arguments: Sequence[str], names: Iterable[str]) -> int:
    """Run a command line with one of these commands and return its status, as `main` does."""
    lines = LogLines()
    lines.addFilter(_is_no_repetition)
    logging.basicConfig(level=logging.INFO, handlers=[lines])
    # a line per request, test or list of fonts: not for users
    for name in ("httpx", "httpx2", "distributed", "matplotlib", "sacrebleu"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # a warning each time that Prefect reads a `.env` of another program in the working folder
    logging.getLogger("dotenv").setLevel(logging.ERROR)
    source = command_line_source(arguments, names)
    options = source.root_parser.options
    try:
        with _explained(), named_files():
            if filters := custom_code.allowed(arguments):
                add_own_settings(source.root_parser, arguments[0], filters)
            CliApp.run(source.settings_cls, cli_args=[*arguments], cli_settings_source=source)
    except ValidationError as error:
        messages = [*command_line.option_problems(error, options)]
        status = 2
    except UnreadableError as error:
        return refuse(2, command_line.unreadable(arguments, error))
    except KeyboardInterrupt:
        return refuse(128 + signal.SIGINT, "stopped")
    except BuildError as error:
        messages = str(error).splitlines()
        status = _STATUS.get(type(error), 1)
    else:
        return 0
    return refuse(status, *(command_line.with_options(text, options) for text in messages))


def _is_no_repetition(record: logging.LogRecord) -> bool:
    """Return False for what the command ends with: warnings among the results, why a run failed."""
    is_failure = record.getMessage().startswith("Finished in state Failed")
    is_of_run = record.name == "prefect.flow_runs"
    return not hasattr(record, IN_RESULTS) and not (is_of_run and is_failure)


@contextmanager
def _explained() -> Iterator[None]:
    """Raise a BuildError in place of what any library may raise where the stack or the memory ends."""
    try:
        yield
    except RecursionError as error:
        raise SettingsError(
            "a value is nested too deeply, in an option, a preset or a card. Expected settings: correct it."
        ) from error
    except Exception as error:
        if not is_lack_of_memory(error):
            raise
        raise BuildError(
            f"no memory is left for this process ({type(error).__name__}). End other programs, set "
            "BITEXT_PIVOT_WORKERS to 1, or raise the limit (ulimit -v); then run again: what is built stays built."
        ) from error
