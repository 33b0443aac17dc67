"""The entry point of `bitext-pivot`, which runs a command or prints the overview of all commands.

The overview and the message about a misspelt command need only the standard library.
"""

import getpass
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.commands.command import refuse
from bitext_pivot.commands.command_list import COMMANDS
from bitext_pivot.core import garbage_collection, untrusted

# Prefect reads these variables when it is imported.
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DO_NOT_TRACK", "1")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    0 means success. 1 is a failure that may go away, for example of a server, a disk or a shard. 2 is a refusal, for
    example of an option, of a file, or because a package is missing. 3 is a build that kept no row, 4 a build that kept
    no row for training. A signal gives 128 plus its number: 130 for Ctrl-C, 141 for a pipe without a reader.
    """
    garbage_collection.collect_rarely()
    untrusted.guard_logs()
    sys.excepthook = untrusted.print_traceback
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")
    if sys.stdout is None:
        return refuse(1, "standard output is closed. Expected a terminal, a file or a pipe.")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The encoding of the terminal may lack some letters.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _command(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except OSError as error:
        return _without_output(error)


def _without_output(error: OSError) -> int:
    """Handle an output that cannot be written: explain the error and return the exit status."""
    # Python flushes standard output at exit, which would fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has ended
        return 128 + signal.SIGPIPE
    return refuse(1, f"standard output or a file cannot be written ({error.strerror}).")


def _command(arguments: Sequence[str]) -> int:
    _complete_user()
    named = [name for name in arguments[:1] if name in COMMANDS]
    if not named and "--help-all" not in arguments:
        return _overview(arguments)
    for name in named:
        if COMMANDS[name].takes_long and sys.stderr.isatty() and "--help" not in arguments:
            sys.stderr.write(f"bitext-pivot {name}: starting ...\n")
    try:
        from bitext_pivot.commands.run import run
    except KeyboardInterrupt:
        return refuse(130, "stopped")
    return run(arguments, named or COMMANDS)


def _overview(arguments: Sequence[str]) -> int:
    """Handle a command line without a command: print the overview, the version or an error."""
    import importlib.metadata  # slow, as are the imports below

    from bitext_pivot.commands.command_parser import CommandParser

    variables = "bitext-pivot --help-all also lists the environment variables."
    parser = CommandParser.of("bitext-pivot", variables, shows_all=False)
    commands = parser.record_commands(parser, title="subcommands")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.summary)
    parser.name_commands()
    if "version" in parser.parse_args(arguments):
        sys.stdout.write(f"{parser.prog} {importlib.metadata.version(parser.prog)}\n")
        return 0
    parser.print_help(sys.stderr)
    return 2


def _complete_user() -> None:
    """Set USER and HOME, which libraries look up, if the system has no entry for the user.

    This is common in containers.
    """
    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["USER"] = str(os.getuid())
        if "HOME" not in os.environ:
            os.environ["HOME"] = str(Path(os.environ.get("BITEXT_PIVOT_HOME", "data")).resolve())
            refuse(
                0,
                f"User {os.getuid()} has no home folder on this machine: using {os.environ['HOME']}",
            )


if __name__ == "__main__":
    sys.exit(main())
