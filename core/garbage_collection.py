"""How often Python looks for garbage: rarely, in processes that import large libraries."""

import gc

_OBJECTS = 20_000
"""New objects before a look. With Python's own 700 a quarter of importing transformers is looks."""


def collect_rarely() -> None:
    """Look for cycles of garbage rarely in this process; what no cycle holds is freed at once as ever."""
    gc.set_threshold(_OBJECTS)
