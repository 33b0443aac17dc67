"""Arguments of the public functions: what has no type hints at run time is checked before anything is computed."""

import os
from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError

_OF_TABLES: dict[str, dict[str, str]] = {
    "to_dicts": {},
    "to_pylist": {},
    "to_dict": {"orient": "records"},
}
"""Methods of a frame of polars, a table of Arrow and a frame of pandas that return its rows."""
_LONGEST = 40  # characters of a value in a message


def described(value: object) -> str:
    """Return a value for a message, not longer than a few words.

    >>> described("x y."), described(None), described([1, 2])
    ("the text 'x y.'", 'None', 'a value of type list')
    """
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the text {value[:_LONGEST]!r}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def as_list(value: object, *, name: str, expected: str) -> list[Any]:
    """Return a list, tuple or other ordered iterable as a list; raises SettingsError for anything else.

    A text is refused, because it is an iterable of letters.
    """
    if isinstance(value, str | bytes | Mapping | Set) or not isinstance(value, Iterable):
        raise SettingsError(f"{name}: {described(value)} is no list. Expected {expected}.")
    return list(value)


def as_rows(value: object, *, name: str, expected: str) -> list[Any]:
    """Return the rows of a data frame or an Arrow table as a list, other values as `as_list`."""
    for method, options in _OF_TABLES.items():
        make = getattr(value, method, None)
        if callable(make) and not isinstance(value, Mapping):
            value = make(**options)
            break
    return as_list(value, name=name, expected=expected)


def as_texts(value: object, *, name: str, expected: str) -> list[str]:
    """Return an ordered iterable of texts as a list; raises SettingsError if it is none or holds anything else."""
    texts = as_list(value, name=name, expected=expected)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            problem = f"item {number} is {described(text)}, not a text"
            raise SettingsError(f"{name}: {problem}. Expected {expected}.")
    return texts


def as_address(value: object, *, name: str, expected: str) -> str:
    """Return a path or URL as a string; raises SettingsError for other types and for an empty one."""
    if not isinstance(value, str | os.PathLike) or not str(value):
        raise SettingsError(f"{name}: {described(value)} is no path. Expected {expected}.")
    return str(value)


def as_type(kind: Any, value: object, *, name: str) -> Any:
    """Return a value of a type, such as the code of a language; raises SettingsError for anything else."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        problem = next(refused_values.problems(error))
        raise SettingsError(f"{name}: {problem}.") from error


def class_of(value: object, classes: Collection[str], *, name: str) -> str:
    """Return the name of the class that a value belongs to; raises SettingsError if it is none of these.

    `classes` are names of the public interface.
    """
    for base in type(value).__mro__:
        if base.__name__ in classes:
            return base.__name__
    expected = " or ".join(f"bitext_pivot.{public}(...)" for public in classes)
    raise SettingsError(f"{name}: {described(value)} cannot be used. Expected {expected}.")
