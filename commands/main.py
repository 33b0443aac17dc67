"""The command `bitext-pivot`: its subcommands are in commands/."""

import getpass
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_settings import CliApp, CliSettingsSource, CliSubCommand
from pydantic_settings import SettingsError as UnreadableError

from bitext_pivot.commands.build import Build, Plan
from bitext_pivot.commands.completion import Completion
from bitext_pivot.commands.judge_and_evaluate import Evaluate, Judge
from bitext_pivot.commands.languages import Catalogue, Models
from bitext_pivot.commands.publish import Publish
from bitext_pivot.commands.recipes import Explicitate, Mine, Unfuse
from bitext_pivot.commands.sample import Sample
from bitext_pivot.commands.serve import Repair, Serve, Status, Stop
from bitext_pivot.commands.train import Apply, Train
from bitext_pivot.commands.verify import Verify
from bitext_pivot.core import command_line, untrusted
from bitext_pivot.core.errors import BuildError, EmptyError, SettingsError, is_lack_of_memory
from bitext_pivot.core.site import Site

_STATUS = {SettingsError: 2, EmptyError: 3}
"""Status of the command by error, 1 for any other BuildError."""
LOG_LINE = "%(asctime)s | %(levelname)-7s | %(task_run_name)s | %(message)s"

# Read by Prefect when it is imported.
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DO_NOT_TRACK", "1")


class Command(BaseModel):
    """Build split-and-rephrase corpora from OPUS bitext."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    catalogue: CliSubCommand[Catalogue]
    """List what OPUS has for two languages."""
    plan: CliSubCommand[Plan]
    """Show what a build would do, without downloading anything."""
    build: CliSubCommand[Build]
    """Build the pairs of one language pair."""
    unfuse: CliSubCommand[Unfuse]
    """Build sentence-fusion pairs of documents."""
    mine: CliSubCommand[Mine]
    """Build sentence pairs with discourse markers of documents."""
    explicitate: CliSubCommand[Explicitate]
    """Label implicit relations of neighbouring sentences."""
    judge: CliSubCommand[Judge]
    """Filter and label pairs you already have."""
    sample: CliSubCommand[Sample]
    """Draw pairs for human assessment, or report on the answers."""
    evaluate: CliSubCommand[Evaluate]
    """Score the outputs of systems trained on such pairs."""
    train: CliSubCommand[Train]
    """Train a model of one of the papers on a data set."""
    apply: CliSubCommand[Apply]
    """Apply a trained model to the lines of a file."""
    publish: CliSubCommand[Publish]
    """Upload a data set or a model to the Hugging Face hub."""
    verify: CliSubCommand[Verify]
    """Check a data set that you have received."""
    models: CliSubCommand[Models]
    """Download all models of a language pair."""
    serve: CliSubCommand[Serve]
    """Start the Prefect UI on this machine."""
    stop: CliSubCommand[Stop]
    """Stop what `serve` started."""
    status: CliSubCommand[Status]
    """Show whether it is up."""
    repair: CliSubCommand[Repair]
    """Mark runs whose process is gone as crashed."""
    completion: CliSubCommand[Completion]
    """Complete commands and options in a shell."""

    def cli_cmd(self) -> None:
        """Run the subcommand that was named."""
        CliApp.run_subcommand(self)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its status.

    0; 1 for a build that failed, 2 for settings that are refused, 3 for a build that kept nothing; 128 and the number
    of the signal that ended it (130 for Ctrl-C).
    """
    untrusted.guard_logs()
    sys.excepthook = untrusted.print_traceback
    lines = logging.StreamHandler()
    lines.setFormatter(logging.Formatter(LOG_LINE, "%H:%M:%S", defaults={"task_run_name": "bitext-pivot"}))
    logging.basicConfig(level=logging.INFO, handlers=[lines])
    for name in ("httpx", "httpx2", "sacrebleu"):  # a line per request or test: not for users
        logging.getLogger(name).setLevel(logging.WARNING)
    _complete_user()
    arguments = sys.argv[1:] if arguments is None else arguments
    source = command_line_source(arguments)
    options = source.root_parser.options
    try:
        with _explained():
            CliApp.run(Command, cli_args=arguments, cli_settings_source=source)
            sys.stdout.flush()
    except ValidationError as error:
        return _refuse(2, *command_line.problems(error, options))
    except UnreadableError:
        return _refuse(2, command_line.unreadable(arguments, options))
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at the end
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return _refuse(128 + signal.SIGINT, "stopped")
    except BuildError as error:
        return _refuse(_STATUS.get(type(error), 1), *str(error).splitlines())
    return 0


def command_line_source(arguments: list[str]) -> CliSettingsSource[command_line.CommandParser]:
    """Return what reads a command line, with the parser of all commands."""
    variables = command_line.environment(Site, "BITEXT_PIVOT_")
    parser = command_line.CommandParser.of("bitext-pivot", variables, shows_all="--help-all" in arguments)
    command: Any = Command  # a plain model: settings read from the environment would meet variables of others
    source: CliSettingsSource[command_line.CommandParser] = CliSettingsSource(
        command,
        root_parser=parser,
        add_argument_method=parser.record_option,
        add_argument_group_method=parser.record_group,
        add_subparsers_method=parser.record_commands,
    )
    parser.name_commands()
    return source


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


def _complete_user() -> None:
    """Name user and home for the libraries that ask the system for them, which may know none, as in a container."""
    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["USER"] = str(os.getuid())
        if "HOME" not in os.environ:
            os.environ["HOME"] = str(Path(os.environ.get("BITEXT_PIVOT_HOME", "data")).resolve())
            logging.getLogger(__name__).info("User %s has no home here: using %s", os.getuid(), os.environ["HOME"])


def _refuse(status: int, *messages: str) -> int:
    for message in messages:
        sys.stderr.write(f"bitext-pivot: {untrusted.safe(message)}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
