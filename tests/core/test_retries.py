"""Attempts, their pauses, and what a server asks to wait."""

import pytest

from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.retries import repeat, retry_after


@pytest.mark.parametrize(
    ("errors", "expected", "waited"),
    [
        ([], "done", []),
        ([SourceError("a")], "done", [1.0]),
        ([SourceError("a"), SourceError("b")], "done", [1.0, 2.0]),
        ([SourceError("a"), SourceError("b"), SourceError("c")], "c", [1.0, 2.0]),
        ([SourceError("final")], "final", []),
        ([SourceError("a"), SourceError("final")], "final", [1.0]),
        ([SettingsError("wrong")], "wrong", []),
    ],
)
def test_an_action_is_repeated_as_often_as_there_are_pauses(
    errors: list[BuildError], expected: str, waited: list[float]
) -> None:
    left, pauses = [*errors], list[float]()

    def action() -> str:
        if left:
            raise left.pop(0)
        return "done"

    def pause(error: SourceError, attempt: int) -> float | None:
        return None if str(error) == "final" or attempt > 2 else float(attempt)

    try:
        result = repeat(action, pause, pauses.append)
    except BuildError as error:
        result = str(error)
    assert (result, pauses) == (expected, waited)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7), ("0", 0), ("120", 120), ("", None), ("soon", None), ("-1", None), ("1.5", None), (" 3", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("nan", None), ("1e3", None),
    ],
)  # fmt: skip
def test_only_whole_seconds_are_read_out_of_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": value}) == seconds


def test_a_server_may_ask_for_nothing() -> None:
    assert retry_after({}) is None
