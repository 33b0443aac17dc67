"""Columns of a data set: name, type and meaning, from a class of rows and its docstrings."""

import ast
import inspect
import types
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bitext_pivot.core.tables import Markdown, code


def columns(row: type) -> list[tuple[str, str, str]]:
    """Return name, type and meaning of each column of a class of rows."""
    meanings = dict(_meanings(row))
    return [(code(name), Markdown(_type(hint)), Markdown(meanings[name])) for name, hint in get_type_hints(row).items()]


def _meanings(row: type) -> Iterator[tuple[str, str]]:
    """Yield each field of a class with its docstring."""
    (definition,) = ast.parse(inspect.getsource(row)).body
    for field, text in pairwise(getattr(definition, "body", ())):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            yield ast.unparse(field.target), " ".join(ast.literal_eval(text.value).split())


def _type(hint: Any) -> str:
    """Return the name of a column's type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return " or ".join("null" if arg is type(None) else _type(arg) for arg in args)
    if origin is list:
        return f"list of {_type(args[0])}"
    if origin is dict:
        return f"struct of {_type(args[1])}, one per score"
    if origin is Literal:
        return "string"
    names = {str: "string", int: "int64", float: "float64", bool: "bool"}
    return names.get(hint) or f"struct of {', '.join(f'`{name}`' for name in get_type_hints(hint))}"
