"""Row store: the results of an engine by text, shared by all shards and builds.

One SQLite file per signature, so that two models never share rows. Keys are digests of the texts; a group of rows is
stored in one transaction, so that a killed process loses at most one group.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from bitext_pivot.core.errors import ShardError

_TIMEOUT = 120.0  # seconds to wait for another worker's write
_BATCH = 500  # SQLite's limit on parameters is 999 in old builds


class RowStore:
    """Rows by digest of their text, in one SQLite file; safe for threads and processes of one machine."""

    def __init__(self, folder: Path, signature: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{hashlib.sha256(signature.encode()).hexdigest()[:16]}.sqlite"
        # No write-ahead log: its locks ignore the timeout, and shared folders do not support it.
        with closing(self._connect()) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT)")
            connection.execute("CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID")
            connection.execute("INSERT OR IGNORE INTO facts VALUES ('signature', ?)", (signature,))

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the rows of those texts that are stored."""
        by_key = {digest(text): text for text in texts}
        keys, rows = list(by_key), {}
        with closing(self._connect()) as connection:
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, value FROM rows WHERE key IN ({marks})"  # noqa: S608 -- only question marks
                rows.update({by_key[key]: value for key, value in connection.execute(query, batch)})
        return rows

    def put(self, rows: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        """Store all rows or none; a stored text keeps its first value. Raises ShardError on a full disk."""
        items = rows.items() if isinstance(rows, Mapping) else rows
        try:
            with closing(self._connect()) as connection, connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO rows VALUES (?, ?)", [(digest(text), value) for text, value in items]
                )
        except sqlite3.OperationalError as error:
            raise ShardError(
                f"{self.path} cannot take more rows ({error}). Free space and run again: stored rows are kept."
            ) from error

    def numbers(
        self, texts: Sequence[str], measure: Callable[[Sequence[str]], Sequence[Sequence[float]]], at_once: int
    ) -> dict[str, list[float]]:
        """Return the numbers of each text; `measure` computes those that are not stored, once per distinct text.

        They are computed and stored `at_once` texts at a time, the most that a killed process loses. Raises ShardError
        on a full disk, and what `measure` raises.
        """
        distinct = list(dict.fromkeys(texts))
        rows = self.get(distinct)
        missing = [text for text in distinct if text not in rows]
        for start in range(0, len(missing), at_once):
            batch = missing[start : start + at_once]
            new = dict(zip(batch, map(json.dumps, measure(batch)), strict=True))
            self.put(new)
            rows.update(new)
        return {text: json.loads(row) for text, row in rows.items()}

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_TIMEOUT)


def digest(text: str) -> bytes:
    """Return a digest of a text, 16 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
