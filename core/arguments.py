"""Validate arguments of the public functions before anything is computed: Python does not check type hints."""

from collections.abc import Callable, Collection, Mapping, Set
from operator import methodcaller
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, Strict, StrictStr, TypeAdapter, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError

_TABLE_METHODS: dict[str, Callable[[Any], Any]] = {
    "to_dicts": methodcaller("to_dicts"),
    "to_pylist": methodcaller("to_pylist"),
    "with_format": methodcaller("with_format", None),
    "iterrows": methodcaller("to_dict", orient="records"),
}
"""How to get the rows of a polars frame, an Arrow table, a data set of `datasets` or a pandas frame. Each key is a
method that only this class of frame has."""
_MAX_QUOTED = 40
"""Maximum length of a value in a message, in characters."""


def describe_value(value: object) -> str:
    """Describe a value in a few words, for a message.

    >>> describe_value("x y."), describe_value(None), describe_value([1, 2])
    ("the text 'x y.'", 'None', 'a value of type list')
    """
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the text {value[:_MAX_QUOTED]!r}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def _require_order(value: Any) -> Any:
    if isinstance(value, Set):
        raise ValueError("expected a list, because a set has no order")
    return value


_Item = TypeVar("_Item")
Ordered = Annotated[list[_Item], BeforeValidator(_require_order)]
"""A list, a tuple or another ordered iterable except a string. It becomes a list."""
OrderedTexts = Annotated[Ordered[StrictStr], Field(min_length=1)]
_Name = Annotated[str, Field(min_length=1)]
Systems = Annotated[dict[_Name, Ordered[StrictStr]], Field(min_length=1)]
"""The output lines of each system, by name of the system."""
Address = _Name | Annotated[Path, Strict()]
"""A path or a URL."""


def as_rows(value: object, *, name: str) -> list[Any]:
    """Return the rows of a data frame, an Arrow table or any ordered iterable as a list."""
    for method, read_rows in _TABLE_METHODS.items():
        if callable(getattr(value, method, None)) and not isinstance(value, Mapping):
            columns = [*getattr(value, "column_names", getattr(value, "columns", ()))]
            if repeated := [column for column in columns if columns.count(column) > 1]:
                raise SettingsError(
                    f"{name} has two columns named {repeated[0]!r}. Rename one of them."
                )
            value = read_rows(value)
            break
    rows: list[Any] = as_type(Ordered[Any], value, name=name)
    return rows


def as_type(kind: Any, value: object, *, name: str) -> Any:
    """Return a value validated as a type, such as a language code. Raises SettingsError if it is invalid."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        problem = error.errors()[0]
        parts = [part for part in problem["loc"] if part != "constrained-str"]  # of `Address`
        where = refused_values.joined([name, *parts])
        raise SettingsError(f"{refused_values.located(where, problem)}.") from error


def find_public_class(value: object, classes: Collection[str], *, name: str) -> str:
    """Return the name of the public class that a value is an instance of.

    `classes` are names that `bitext_pivot` exports. Raises SettingsError if the value is an instance of none of them.
    """
    for base in type(value).__mro__:
        if base.__name__ in classes:
            return base.__name__
    expected = " or ".join(f"bitext_pivot.{public}(...)" for public in classes)
    raise SettingsError(f"{name}: {describe_value(value)} cannot be used. Expected {expected}.")
