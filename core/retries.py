"""Attempts after errors that may pass, and the pauses between them."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from bitext_pivot.core.errors import SourceError

_Result = TypeVar("_Result")


def repeat(
    action: Callable[[], _Result],
    pause: Callable[[SourceError, int], float | None],
    wait: Callable[[float], object] = time.sleep,
) -> _Result:
    """Return the result of an action, repeated after each SourceError for which `pause` returns seconds to wait.

    `pause` gets the error and the number of attempts so far. If it returns None, the error is raised.
    """
    attempt = 0
    while True:
        attempt += 1
        try:
            return action()
        except SourceError as error:
            seconds = pause(error, attempt)
            if seconds is None:
                raise
        wait(seconds)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait (Retry-After); None if it does not, or names a date."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else None
