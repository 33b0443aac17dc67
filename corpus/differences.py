"""Compare nested mappings, such as the signatures of builds or the keys of shards."""

from collections.abc import Iterator, Mapping
from typing import Any

ABSENT = object()
"""Placeholder for a value that one of the compared mappings does not have."""


def find_differences(*values: Any) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """Yield the path of each value that differs between nested mappings, and the values.

    Names in the last mapping come first, in the order of that mapping.

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
