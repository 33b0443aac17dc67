"""Columns of a data set: their descriptions, their Arrow types, and their types for the library `datasets`."""

import ast
import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

from bitext_pivot.core.storage import arrow
from bitext_pivot.core.tables import Markdown, code
from bitext_pivot.corpus.recipe import REJECTED


def describe_columns(row: type) -> list[tuple[str, str, str]]:
    """Return the name, type and description of each column of a row class."""
    texts = dict(_meanings(row))
    return [
        (code(name), Markdown(_type_name(hint)), Markdown(texts[name]))
        for name, hint in get_type_hints(row).items()
    ]


def _meanings(row: type) -> Iterator[tuple[str, str]]:
    """Yield the name and docstring of each field of a class, beginning with its base classes."""
    (definition,) = ast.parse(inspect.getsource(row)).body
    for base in getattr(definition, "bases", ()):
        parent = getattr(inspect.getmodule(row), ast.unparse(base))
        if parent is not TypedDict:
            yield from _meanings(parent)
    for field, text in pairwise(getattr(definition, "body", ())):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            yield ast.unparse(field.target), " ".join(ast.literal_eval(text.value).split())


def _type_name(hint: Any) -> str:
    """Return the name of a column's type for the documentation, such as `list of string`."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return " or ".join("null" if arg is type(None) else _type_name(arg) for arg in args)
    if origin is list:
        return f"list of {_type_name(args[0])}"
    if origin is dict:
        return f"struct of {_type_name(args[1])}, one per score"
    if origin is Literal:
        return "string"
    names = {str: "string", int: "int64", float: "float64", bool: "bool"}
    return names.get(hint) or f"struct of {', '.join(f'`{name}`' for name in get_type_hints(hint))}"


def schema(row: type, scores: Sequence[str] = ()) -> pa.Schema:
    """Return the Arrow schema of a row class.

    A column `scores` is a struct with one field per name in `scores`. A dictionary would otherwise become a map, which
    `datasets` and most readers of Parquet cannot read.
    """
    fields = arrow.schema(row)
    if "scores" not in fields.names:
        return fields
    numbers = pa.struct([(name, pa.float64()) for name in sorted(scores)])
    return fields.set(fields.get_field_index("scores"), pa.field("scores", numbers))


def schemas(rows: Mapping[str, type], scores: Sequence[str] = ()) -> dict[str, pa.Schema]:
    """Return the Arrow schema of each kind of row (see `schema`).

    Rejected rows also have a column `rejected_by`.
    """
    kinds = {kind: schema(row, scores) for kind, row in rows.items()}
    return kinds | {REJECTED: kinds[REJECTED].append(pa.field("rejected_by", pa.string()))}


def features(fields: pa.Schema | pa.StructType) -> list[dict[str, Any]]:
    """Return columns in the notation of `dataset_info.features`, for the library `datasets`."""
    return [{"name": column.name, **_feature(column.type)} for column in fields]


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner.get("dtype") or inner.get("struct") or inner}
    if pa.types.is_struct(kind):
        return {"struct": features(kind)}
    return {"dtype": "float64" if pa.types.is_float64(kind) else str(kind)}
