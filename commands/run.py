"""Run one command: read its options, and explain why values are refused."""

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
from bitext_pivot.commands.command_list import COMMANDS
from bitext_pivot.commands.command_parser import CommandParser
from bitext_pivot.core.errors import (
    AbsentError,
    BuildError,
    EmptyError,
    NoTrainingError,
    SettingsError,
    explain_file_errors,
    is_out_of_memory,
)
from bitext_pivot.core.progress import IN_RESULTS, LogLines
from bitext_pivot.core.refused_values import problems

_STATUS = {SettingsError: 2, AbsentError: 2, EmptyError: 3, NoTrainingError: 4}
"""Exit status by class of error. For any other BuildError it is 1, because running the command again may succeed."""


class _Commands(BaseModel):
    """Build split-and-rephrase corpora from OPUS bitext."""

    def cli_cmd(self) -> None:
        """Run the named subcommand. Raises SettingsError if its options do not form valid settings."""
        try:
            CliApp.run_subcommand(self)
        except ValidationError as error:
            raise SettingsError("\n".join(problems(error))) from error


def commands_model(names: Iterable[str] = COMMANDS) -> type[BaseModel]:
    """Return the pydantic model of a command line with the given commands.

    Only these are imported.
    """
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
    """Return the settings source that parses a command line with these commands, by default all."""
    from bitext_pivot.core.site import Site

    variables = command_line.environment(Site, "BITEXT_PIVOT_")
    parser = CommandParser.of("bitext-pivot", variables, shows_all="--help-all" in arguments)
    # The model is not a BaseSettings, which would read unrelated environment variables.
    command: Any = commands_model(names)
    source: CliSettingsSource[CommandParser] = command_line.OptionSource(
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
    """Add the settings of custom filters to the options of a command.

    Raises SettingsError if a filter cannot be loaded.
    """
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
    """Run a command line and return its exit status. `names` are the commands it may contain."""
    lines = LogLines()
    lines.addFilter(_is_shown_once)
    logging.basicConfig(level=logging.INFO, handlers=[lines])
    # These libraries log every request, test or font, which users do not need.
    for name in ("httpx", "httpx2", "distributed", "matplotlib", "sacrebleu"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # Prefect reads a `.env` in the working folder, and dotenv warns if it belongs to another program.
    logging.getLogger("dotenv").setLevel(logging.ERROR)
    source = command_line_source(arguments, names)
    options = source.root_parser.options
    try:
        with _explained_limits(), explain_file_errors():
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


def _is_shown_once(record: logging.LogRecord) -> bool:
    """Return False for log records that the command prints again when it ends."""
    is_failure = record.getMessage().startswith("Finished in state Failed")
    is_of_run = record.name == "prefect.flow_runs"
    return not hasattr(record, IN_RESULTS) and not (is_of_run and is_failure)


@contextmanager
def _explained_limits() -> Iterator[None]:
    """Turn errors about stack depth or a lack of memory into a BuildError with advice."""
    try:
        yield
    except RecursionError as error:
        raise SettingsError(
            "A value in an option, a preset or a card is nested too deeply. Expected settings: correct the value."
        ) from error
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise BuildError(
            f"This process ran out of memory ({type(error).__name__}). End other programs, set BITEXT_PIVOT_WORKERS "
            "to 1, or raise the limit (ulimit -v), and run the command again: finished shards are reused."
        ) from error
