"""The setting `columns`: it maps the column names that we read, such as `long`, to those in a user's table."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_settings import NoDecode

from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.settings import misspelt


def parse_columns(value: Any) -> Any:
    """Return the value of the option `--columns` as a dictionary, and a value that is not a string unchanged.

    >>> parse_columns("long=complex,split=simple")
    {'long': 'complex', 'split': 'simple'}

    JSON is parsed, too. Raises ValueError for a part without a name or a column, and for a name that is given twice.
    """
    if not isinstance(value, str):
        return value
    if value.startswith("{"):
        return parse_json(value)
    columns: dict[str, str] = {}
    for part in value.split(","):
        name, _, column = map(str.strip, part.partition("="))
        if not name or not column:
            raise ValueError(
                f"{part!r} is not NAME=COLUMN; expected for example long=complex,split=simple"
            )
        if name in columns:
            raise ValueError(f"{name!r} is given twice; expected one column for each name")
        columns[name] = column
    return columns


def check_columns(columns: dict[str, str], *, known: Sequence[str]) -> dict[str, str]:
    """Check the setting `columns` and return it unchanged.

    Raises ValueError for a name that is not in `known`, for a column that is empty or named twice, and for `s1` or `s2`
    together with `split`.
    """
    for name, column in columns.items():
        if name not in known:
            raise ValueError(misspelt(name, [*known], what="known column"))
        if not column or [*columns.values()].count(column) > 1:
            raise ValueError(
                f"{name!r} is the column {column!r}; expected a different column for each name"
            )
    if "split" in columns and not {"s1", "s2"}.isdisjoint(columns):
        raise ValueError("expected 'split', or 's1' and 's2', not both")
    return columns


ColumnNames = Annotated[dict[str, str], NoDecode, BeforeValidator(parse_columns)]
"""A mapping from the column names that we read to those in a table. A user types `long=complex,split=simple`."""
