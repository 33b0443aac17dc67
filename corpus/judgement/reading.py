"""Read the kept pairs of a data set back, from its Parquet or JSON files, in a local folder or an object store."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import folders, manifest

COLUMNS = ["id", "language", "long", "split", "category", "corpus"]
_ENDINGS = (".parquet", ".jsonl", ".jsonl.zst")


def kept_pairs(address: str) -> Iterator[dict[str, Any]]:
    """Yield the kept pairs of a data set, `COLUMNS` only, in the order of its files.

    `address` is a folder or a URL of an object store; `latest` is found there as well. Raises SettingsError if it has
    no complete data set.
    """
    folder = _found(address)
    names = [name for name in manifest.files(folder) or {} if name.startswith("pairs/")]
    ending = next((suffix for suffix in _ENDINGS if any(name.endswith(suffix) for name in names)), None)
    if ending is None:
        raise SettingsError(
            f"{address} has no finished data set. Expected the folder of one, such as data/fr-en/latest: build it."
        )
    for name in names:
        if name.endswith(ending):
            with (folder / name).open("rb") as file:
                yield from _parquet(file) if ending == ".parquet" else _json(file, is_compressed=ending == ".jsonl.zst")


def title(address: str) -> str:
    """Return the language pair of a data set: the name of the folder that has its folder, such as fr-en."""
    return _found(address).absolute().parent.name


def _found(address: str) -> Path:
    folder = folders.opened(address)
    link = folder.with_name("latest.txt")  # where there are no symbolic links
    if folder.name == "latest" and not folder.exists() and link.exists():
        return folder.with_name(link.read_text(encoding="utf-8").strip())
    return folder


def _parquet(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    for batch in pq.ParquetFile(file).iter_batches(batch_size=5_000, columns=COLUMNS):
        yield from batch.to_pylist()


def _json(file: IO[bytes], *, is_compressed: bool) -> Iterator[dict[str, Any]]:
    stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd") if is_compressed else file
    with io.TextIOWrapper(stream, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            row = json.loads(line)
            yield {name: row[name] for name in COLUMNS}
