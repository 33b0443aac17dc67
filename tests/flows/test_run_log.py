"""The log of a run and of a command: an error that users can fix is a message, never a traceback."""

import logging
from uuid import uuid4

import httpx
import pytest

from bitext_pivot.core.errors import SettingsError


@pytest.fixture(scope="module", autouse=True)
def configured() -> None:
    """Let Prefect configure the logs before `caplog` listens: the first time it removes all other handlers."""
    from prefect.logging.configuration import setup_logging

    setup_logging()


@pytest.mark.parametrize(("level", "error", "tracebacks"), [
    (logging.INFO, SettingsError("name 'a' another model"), 0),
    (logging.DEBUG, SettingsError("name 'a' another model"), 2),
    (logging.INFO, KeyError("a defect"), 2),
])  # fmt: skip
def test_a_build_error_is_logged_without_traceback(
    level: int, error: Exception, tracebacks: int, server: str, caplog: pytest.LogCaptureFixture
) -> None:
    from prefect import flow

    from bitext_pivot.flows.prefect_run import PrefectRun

    def refuse() -> None:
        raise error

    @flow
    def refused() -> None:
        PrefectRun().run_task("refuse", refuse)

    with caplog.at_level(level, "prefect"):
        state = refused(return_state=True)
    assert server and state.is_failed() and state.message
    assert str(error) in state.message and "Traceback" not in state.message
    runs = [
        record
        for record in caplog.records
        if record.name in {"prefect.task_runs", "prefect.flow_runs"}
    ]
    assert sum(record.exc_info is not None for record in runs) == tracebacks
    assert sum(str(error) in record.getMessage() and not record.exc_info for record in runs) == 2


def test_no_secret_and_no_control_character_is_in_states_and_logs(
    server: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library's error that nothing expected quotes a server, which repeats a key."""
    from prefect import flow

    from bitext_pivot.flows.prefect_run import PrefectRun

    monkeypatch.setenv("BITEXT_PIVOT_ENDPOINT_KEY", "sk-SECRET-KEY-98765")

    def refuse() -> None:
        try:
            raise ValueError("Bearer sk-SECRET-KEY-98765")
        except ValueError as error:
            raise KeyError("no such key: sk-SECRET-KEY-98765 \x1b]0;owned\x07") from error

    @flow
    def refused() -> None:
        PrefectRun().run_task("refuse", refuse)

    with caplog.at_level(logging.DEBUG, "prefect"):
        state = refused(return_state=True)
    assert server and state.is_failed() and "no such key: ***" in str(state.message)
    shown = f"{state.message} {caplog.text}"
    assert (
        "Bearer ***" in shown
        and "SECRET" not in shown
        and "\x1b" not in shown
        and "\x07" not in shown
    )


def test_an_unreachable_server_costs_an_artifact_and_no_build(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from prefect import runtime

    from bitext_pivot.flows import prefect_run

    def refuse(**_: object) -> None:
        raise httpx.ConnectError("refused")

    monkeypatch.setattr(prefect_run, "get_client", refuse)
    run = str(uuid4())
    monkeypatch.setattr(runtime.flow_run, "id", run, raising=False)
    monkeypatch.setattr(prefect_run, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    prefect_run.PrefectRun().publish("report", "# report", None)
    assert caplog.messages == [
        f"The artifact report-{run[:8]} was not published, because of the server: refused"
    ]
