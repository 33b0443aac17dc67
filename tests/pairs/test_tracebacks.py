"""Errors that users can fix reach the log without a traceback; the traceback stays at debug level."""

import logging
from collections.abc import Iterator

import pytest

from pairs import tracebacks
from pairs.errors import SettingsError, SourceError


class Kept(logging.Handler):
    """Remember all records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, logger = Kept(), logging.getLogger("tests.tracebacks")
    logger.propagate = False
    logger.addHandler(handler)
    logger.addFilter(tracebacks.at_debug_level)
    logger.addFilter(tracebacks.is_news)
    logger.setLevel(logging.DEBUG)
    yield handler
    logger.removeHandler(handler)
    logger.removeFilter(tracebacks.at_debug_level)
    logger.removeFilter(tracebacks.is_news)


def fail(error: Exception) -> None:
    """Log an error as Prefect's engines do."""
    try:
        raise error
    except type(error) as raised:
        logger = logging.getLogger("tests.tracebacks")
        logger.error("Task run failed with exception: %r - Retry 1/1", raised, exc_info=True)


@pytest.mark.parametrize("error", [SettingsError("name 'a' another model"), SourceError("it's gone\nreally")])
def test_the_traceback_of_a_build_error_is_a_debug_record(kept: Kept, error: Exception) -> None:
    fail(error)
    details, line = kept.records
    assert line.levelno == logging.ERROR and line.exc_info is None
    assert line.getMessage() == f"Task run failed with exception: {error} - Retry 1/1"
    assert details.levelno == logging.DEBUG and details.exc_info and details.exc_info[1] is error


def test_above_debug_level_there_is_one_record(kept: Kept) -> None:
    logging.getLogger("tests.tracebacks").setLevel(logging.INFO)
    fail(SettingsError("x"))
    assert [record.levelno for record in kept.records] == [logging.ERROR]


def test_any_other_error_keeps_its_traceback(kept: Kept) -> None:
    fail(KeyError("a defect"))
    (record,) = kept.records
    assert record.exc_info and record.levelno == logging.ERROR


def test_hooks_that_went_well_are_left_out(kept: Kept) -> None:
    logger = logging.getLogger("tests.tracebacks")
    logger.info("Running hook %r in response to entering state %r", "mark", "Running")
    logger.info("Hook %r finished running successfully", "mark")
    logger.error("An error was encountered while running hook %r", "mark")
    assert [record.levelno for record in kept.records] == [logging.ERROR]


def test_a_final_state_that_repeats_a_line_is_left_out(kept: Kept) -> None:
    logger = logging.getLogger("tests.tracebacks")
    failed = "Finished in state Failed('Task run encountered an exception')"
    for state in ("Completed()", "Reused('3 rows')", "Crashed('x')"):
        logger.info("Finished in state %s", state)
    assert [record.getMessage() for record in kept.records] == ["Finished in state Crashed('x')"]
    kept.records.clear()
    logger.error("Task run failed: %r", SettingsError("x"), exc_info=SettingsError("x"), extra={"task_run_id": "a"})
    for run in ("a", "b", "a"):  # of b nothing was logged, nor anything new of a
        logger.error(failed, extra={"task_run_id": run})
    lines = [record for record in kept.records if record.levelno == logging.ERROR]
    assert [record.__dict__["task_run_id"] for record in lines] == ["a", "b", "a"]
    assert [record.getMessage() == failed for record in lines] == [False, True, True]


def test_a_command_leaves_the_error_of_its_flow_to_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import tasks.stages  # adds the filters

    assert tasks.stages
    handler, logger = Kept(), logging.getLogger("prefect.flow_runs")
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logger, "propagate", False)
    for error in (SettingsError("x"), KeyError("a defect")):
        with tracebacks.left_out():
            logger.error("Encountered exception during execution: %r", error, exc_info=error)
    assert [type(record.exc_info[1]) for record in handler.records if record.exc_info] == [KeyError]
    assert len(handler.records) == 1
    logger.error("Encountered exception during execution: %r", error, exc_info=SettingsError("x"))
    assert len(handler.records) == 2
