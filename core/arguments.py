"""Arguments of the public functions: what has no type hints at run time is checked before anything is computed."""

from collections.abc import Callable, Collection, Mapping, Set
from operator import methodcaller
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, Strict, StrictStr, TypeAdapter, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError

_OF_TABLES: dict[str, Callable[[Any], Any]] = {
    "to_dicts": methodcaller("to_dicts"),
    "to_pylist": methodcaller("to_pylist"),
    "with_format": methodcaller("with_format", None),
    "iterrows": methodcaller("to_dict", orient="records"),
}
"""What returns the rows of a polars frame, an Arrow table, a data set of `datasets` and a pandas frame, by a method
that each has."""
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


def _ordered(value: Any) -> Any:
    if isinstance(value, Set):
        raise ValueError("expected an order, as of a list")
    return value


_Item = TypeVar("_Item")
Ordered = Annotated[list[_Item], BeforeValidator(_ordered)]
"""A list, a tuple or another ordered iterable, as a list; a text is none."""
OrderedTexts = Annotated[Ordered[StrictStr], Field(min_length=1)]
_Name = Annotated[str, Field(min_length=1)]
Systems = Annotated[dict[_Name, Ordered[StrictStr]], Field(min_length=1)]
"""Outputs by system."""
Address = _Name | Annotated[Path, Strict()]
"""A path or a URL."""


def as_rows(value: object, *, name: str) -> list[Any]:
    """Return the rows of a data frame or an Arrow table as a list, other values, such as data sets, as `Ordered`."""
    for method, rows_of in _OF_TABLES.items():
        if callable(getattr(value, method, None)) and not isinstance(value, Mapping):
            columns = [*getattr(value, "column_names", getattr(value, "columns", ()))]
            if twice := [column for column in columns if columns.count(column) > 1]:
                raise SettingsError(f"{name} has two columns named {twice[0]!r}. Rename one.")
            value = rows_of(value)
            break
    rows: list[Any] = as_type(Ordered[Any], value, name=name)
    return rows


def as_type(kind: Any, value: object, *, name: str) -> Any:
    """Return a value of a type, such as the code of a language; raises SettingsError for anything else."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        problem = error.errors()[0]
        parts = [part for part in problem["loc"] if part != "constrained-str"]  # of `Address`
        where = refused_values.joined([name, *parts])
        raise SettingsError(f"{refused_values.located(where, problem)}.") from error


def class_of(value: object, classes: Collection[str], *, name: str) -> str:
    """Return the name of the class that a value belongs to; raises SettingsError if it is none of these.

    `classes` are names of the public interface.
    """
    for base in type(value).__mro__:
        if base.__name__ in classes:
            return base.__name__
    expected = " or ".join(f"bitext_pivot.{public}(...)" for public in classes)
    raise SettingsError(f"{name}: {described(value)} cannot be used. Expected {expected}.")
