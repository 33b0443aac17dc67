"""Compare nested mappings, such as the signatures of builds or the keys of shards."""

from collections.abc import Iterator, Mapping
from typing import Any

ABSENT = object()
"""Stands for a value that a mapping lacks."""


def find_differences(*values: Any) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """Yield the path of each value that differs between the mappings, with the value in each of them.

    The names of the last mapping come first, in its order.

    >>> list(find_differences({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}))
    [(('a', 'b'), (1, 3))]
    """
    if all(value == values[0] for value in values):
        return
    if not all(isinstance(value, Mapping) for value in values):
        yield (), values
        return
    names: dict[str, None] = {}
    for value in reversed(values):
        names |= dict.fromkeys(value)
    for name in names:
        for path, parts in find_differences(*(value.get(name, ABSENT) for value in values)):
            yield (name, *path), parts
