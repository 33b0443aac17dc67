"""Records as Arrow's columns and back, a column at a time: no dictionary is made of any row.

Beside shards.py this is the only file that imports pyarrow. The Arrow type of a record is derived from its type hints.
"""

import dataclasses
import functools
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_PLAIN = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def schema(record: Any) -> pa.Schema:
    """Return the Arrow schema of a record class."""
    return pa.schema(list(_kind(record).type))


def batch(record: Any, records: Sequence[Any]) -> pa.RecordBatch:
    """Return records as columns; raises what pyarrow raises for a text that cannot be stored."""
    return pa.RecordBatch.from_struct_array(_kind(record).column(records))


def records(record: Any, batch: pa.RecordBatch) -> list[Any]:
    """Return the records whose columns these are, in order."""
    return _kind(record).values(batch.to_struct_array())


class _Kind(ABC):
    """What a type hint says, as Arrow and Python have it."""

    type: pa.DataType

    @abstractmethod
    def column(self, values: Sequence[Any]) -> pa.Array:
        """Return values as an Arrow array."""

    @abstractmethod
    def values(self, array: pa.Array) -> list[Any]:
        """Return what an Arrow array holds."""


@dataclass(frozen=True)
class _Plain(_Kind):
    type: pa.DataType

    def column(self, values: Sequence[Any]) -> pa.Array:
        return pa.array(values, self.type)

    def values(self, array: pa.Array) -> list[Any]:
        return list(array.to_pylist())


@dataclass(frozen=True)
class _Numbers(_Plain):
    def values(self, array: pa.Array) -> list[Any]:
        return list(array.to_numpy(zero_copy_only=False).tolist())  # three times as fast


@dataclass(frozen=True)
class _Words(_Plain):
    """Texts that recur, as words and labels do: each is kept once, which is a quarter of the memory."""

    def values(self, array: pa.Array) -> list[Any]:
        listed, numbers = _numbered(array)
        return list(map(listed.__getitem__, numbers.tolist()))


@dataclass(frozen=True)
class _Optional(_Kind):
    inner: _Kind

    @property
    def type(self) -> pa.DataType:
        return self.inner.type

    def column(self, values: Sequence[Any]) -> pa.Array:
        places = np.cumsum([value is not None for value in values]) - 1
        there = self.inner.column([value for value in values if value is not None])
        return there.take(pa.array(places, mask=np.array([value is None for value in values], bool)))

    def values(self, array: pa.Array) -> list[Any]:
        there = iter(self.inner.values(array.drop_null() if array.null_count else array))
        return [next(there) if valid else None for valid in array.is_valid().to_pylist()]


@dataclass(frozen=True)
class _Many(_Kind):
    inner: _Kind

    @functools.cached_property
    def type(self) -> pa.DataType:
        return pa.list_(self.inner.type)

    def column(self, values: Sequence[Any]) -> pa.Array:
        inner = self.inner.column(list(chain.from_iterable(values)))
        return pa.ListArray.from_arrays(_offsets(values), inner, type=self.type)

    def values(self, array: pa.Array) -> list[Any]:
        return _cut(tuple, self.inner.values(array.flatten()), array)


@dataclass(frozen=True)
class _Named(_Kind):
    names: _Kind
    inner: _Kind

    @functools.cached_property
    def type(self) -> pa.DataType:
        return pa.map_(self.names.type, self.inner.type)

    def column(self, values: Sequence[Any]) -> pa.Array:
        names = self.names.column(list(chain.from_iterable(values)))
        items = self.inner.column(list(chain.from_iterable(value.values() for value in values)))
        return pa.MapArray.from_arrays(_offsets(values), names, items)

    def values(self, array: pa.Array) -> list[Any]:
        own = slice(array.offsets[0].as_py(), array.offsets[-1].as_py())
        names, items = self.names.values(array.keys[own]), self.inner.values(array.items[own])
        return _cut(dict, list(zip(names, items, strict=True)), array)


@dataclass(frozen=True)
class _Record(_Kind):
    record: Callable[..., Any]
    fields: tuple[tuple[str, _Kind], ...]

    @functools.cached_property
    def type(self) -> pa.DataType:
        return pa.struct([pa.field(name, kind.type) for name, kind in self.fields])

    def column(self, values: Sequence[Any]) -> pa.Array:
        columns = [kind.column([getattr(value, name) for value in values]) for name, kind in self.fields]
        return pa.StructArray.from_arrays(columns, fields=list(self.type))

    def values(self, array: pa.Array) -> list[Any]:
        names = [name for name, _ in self.fields]
        columns = [kind.values(column) for (_, kind), column in zip(self.fields, array.flatten(), strict=True)]
        return [self.record(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


@functools.cache
def _kind(hint: Any) -> _Kind:
    origin, args = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _Numbers(_PLAIN[hint])
    if hint is str or origin is Literal:
        return _Plain(pa.string())
    if origin in (Union, types.UnionType):
        return _Optional(_kind(next(arg for arg in args if arg is not type(None))))
    if origin is tuple:
        return _Many(_several(args[0]))
    if origin is dict:
        return _Named(_several(args[0]), _several(args[1]))
    hints = get_type_hints(hint)
    return _Record(hint, tuple((field.name, _kind(hints[field.name])) for field in dataclasses.fields(hint)))


def _several(hint: Any) -> _Kind:
    """Return the kind of what stands in a list."""
    return _Words(pa.string()) if hint is str else _kind(hint)


def _offsets(values: Sequence[Any]) -> pa.Array:
    return pa.array(np.cumsum([0, *map(len, values)]), pa.int32())


def _cut(make: Callable[[Any], Any], values: list[Any], array: pa.Array) -> list[Any]:
    """Return the values of each list of an Arrow array."""
    offsets = array.offsets.to_numpy()
    return [make(values[start:end]) for start, end in pairwise((offsets - offsets[0]).tolist())]


def _numbered(array: pa.Array) -> tuple[list[str], NDArray[np.int32]]:
    """Return the different texts, each kept in one place for all shards, and which of them each text is."""
    found = array.dictionary_encode()
    return list(map(sys.intern, found.dictionary.to_pylist())), found.indices.to_numpy()
