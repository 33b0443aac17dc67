"""Repeat an action after temporary errors, with pauses."""

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
    """Return the result of an action; after a SourceError, wait and try again.

    `pause` receives the error and the number of attempts so far and returns the seconds to wait, or None to raise the
    error.
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
    """Return the seconds in the header Retry-After, or None if it is missing or contains a date."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else None
