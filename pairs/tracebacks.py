"""Logging filters for run logs: no tracebacks for errors that users can fix, no lines that repeat another one."""

import copy
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pairs.errors import BuildError

_ENDED_WELL = tuple(f"Finished in state {state}(" for state in ("Completed", "Reused"))
_HOOK_WENT_WELL = ("Running hook '", "Hook '")
_FAILED = "Finished in state Failed("
_logged: set[str] = set()
"""Runs whose error was logged and whose final state was not."""


def is_news(record: logging.LogRecord) -> bool:
    """Return False for a final state that repeats the line of the task, or that of its error, and for our own hooks."""
    message, run = record.getMessage(), _run(record)
    if message.startswith(_FAILED) and run in _logged:
        _logged.discard(run)
        return False
    return not message.startswith((*_ENDED_WELL, *_HOOK_WENT_WELL))


def _run(record: logging.LogRecord) -> str:
    """Return the id of the task run, or else of the flow run, that Prefect gives its records; "" without one."""
    return str(getattr(record, "task_run_id", None) or getattr(record, "flow_run_id", None) or "")


def at_debug_level(record: logging.LogRecord) -> bool:
    """Move the traceback of a BuildError to a record of level DEBUG; always returns True.

    What remains is the message, with the text of the error instead of its representation.
    """
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and _run(record):
        _logged.add(_run(record))
    if isinstance(error, BuildError) and record.levelno > logging.DEBUG:
        details = copy.copy(record)
        details.levelno, details.levelname = logging.DEBUG, logging.getLevelName(logging.DEBUG)
        logger = logging.getLogger(record.name)
        if logger.isEnabledFor(logging.DEBUG):
            logger.handle(details)
        record.msg, record.args = record.getMessage().replace(repr(error), str(error)), ()
        record.exc_info = record.exc_text = None
        record.moved = error
    return True


@contextmanager
def left_out() -> Iterator[None]:
    """Leave the error of a failed flow out of its log inside this block: a command prints it as its last line."""
    logger = logging.getLogger("prefect.flow_runs")
    logger.addFilter(_is_no_error)
    try:
        yield
    finally:
        logger.removeFilter(_is_no_error)


def _is_no_error(record: logging.LogRecord) -> bool:
    return not hasattr(record, "moved")
