"""Columns of a data set: their Arrow types, and the types in which `datasets` reads JSON lines."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from bitext_pivot.core.storage import arrow
from bitext_pivot.corpus.recipe import REJECTED


def schema(row: type, scores: Sequence[str] = ()) -> pa.Schema:
    """Return the Arrow schema of a row class; a column `scores` has a field for each name of `scores`.

    (`datasets` and most readers of Parquet cannot read the map type that a dictionary has otherwise.)
    """
    columns = arrow.schema(row)
    if "scores" not in columns.names:
        return columns
    fields = pa.struct([(name, pa.float64()) for name in sorted(scores)])
    return columns.set(columns.get_field_index("scores"), pa.field("scores", fields))


def schemas(rows: Mapping[str, type], scores: Sequence[str] = ()) -> dict[str, pa.Schema]:
    """Return the Arrow schema of each kind of row, for rejected ones with `rejected_by`; `scores` as for `schema`."""
    columns = {kind: schema(row, scores) for kind, row in rows.items()}
    return columns | {REJECTED: columns[REJECTED].append(pa.field("rejected_by", pa.string()))}


def features(columns: pa.Schema | pa.StructType) -> list[dict[str, Any]]:
    """Return columns as the field `features` of a card's `dataset_info`, from which `datasets` takes their types."""
    return [{"name": column.name, **_feature(column.type)} for column in columns]


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner.get("dtype") or inner["struct"]}
    if pa.types.is_struct(kind):
        return {"struct": features(kind)}
    return {"dtype": "float64" if pa.types.is_float64(kind) else str(kind)}
