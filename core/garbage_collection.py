"""Make the garbage collector run rarely in processes that import large libraries."""

import gc

_THRESHOLD = 20_000
"""Number of new objects that starts a collection. With 700, Python's default, collections take a quarter of the time
of importing transformers."""


def collect_rarely() -> None:
    """Collect reference cycles rarely in this process. Other objects are still freed at once."""
    gc.set_threshold(_THRESHOLD)
