"""Handlers of signals: a flow in the main thread installs them again; ignored signals stay ignored."""

import signal
import threading
from collections.abc import Iterator

import pytest

from bitext_pivot.tasks.run import signals


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Restore the handlers of this process."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    signals._handlers.clear()


def test_a_flow_installs_the_handlers_again() -> None:
    signals.end_on_signals()
    ours = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # as Prefect's engine does
    signals.keep_ending_on_signals()
    assert signal.getsignal(signal.SIGTERM) is ours


def test_a_flow_without_handlers_installs_none() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signals.keep_ending_on_signals()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_flow_in_another_thread_leaves_them_as_they_are() -> None:
    signals.end_on_signals()
    errors: list[Exception] = []

    def flow() -> None:
        try:
            signals.keep_ending_on_signals()
        except ValueError as error:
            errors.append(error)

    thread = threading.Thread(target=flow)
    thread.start()
    thread.join()
    assert errors == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_an_ignored_signal_stays_ignored(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    signals.end_on_signals()
    signals.keep_ending_on_signals()
    assert signal.getsignal(number) is signal.SIG_IGN
