"""One Chromium for the browser tests of a file."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def launched() -> Iterator[Any]:
    """A browser that reaches nothing but this machine."""
    from browsers import chromium

    with chromium() as launched:
        yield launched
