"""A row store under the shards: what an engine made of a text once, whatever shard or build asked for it.

One SQLite file a signature, so that changing a model never meets the rows of another. Keys are digests of the texts;
a group of rows is stored in one transaction, so a kill loses at most the group in work.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pairs.errors import ShardError

_PATIENCE = 120.0  # seconds to wait for another worker's write
_AT_ONCE = 500  # SQLite's limit on parameters is 999 in old builds


class RowStore:
    """Rows by digest of their text, in one SQLite file; safe for several threads and processes of one machine."""

    def __init__(self, folder: Path, signature: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{hashlib.sha256(signature.encode()).hexdigest()[:16]}.sqlite"
        # No write-ahead log: opening and closing one takes locks that no timeout waits for, and shared folders lack it.
        with closing(self._connect()) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT)")
            connection.execute("CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID")
            connection.execute("INSERT OR IGNORE INTO facts VALUES ('signature', ?)", (signature,))

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """Return what is stored for those of the texts that are there."""
        wanted = {digest(text): text for text in texts}
        keys, found = list(wanted), {}
        with closing(self._connect()) as connection:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM rows WHERE key IN ({marks})"  # noqa: S608 -- only question marks
                found.update({wanted[key]: value for key, value in connection.execute(query, some)})
        return found

    def put(self, rows: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        """Store all rows or none; a text that is there keeps its first value. Raises ShardError on a full disk."""
        items = rows.items() if isinstance(rows, Mapping) else rows
        try:
            with closing(self._connect()) as connection, connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO rows VALUES (?, ?)", [(digest(text), value) for text, value in items]
                )
        except sqlite3.OperationalError as error:
            raise ShardError(
                f"{self.path} cannot take more rows ({error}). Free space and run again: what is stored stays stored."
            ) from error

    def numbers(
        self, texts: Sequence[str], measure: Callable[[Sequence[str]], Sequence[Sequence[float]]], at_once: int
    ) -> dict[str, list[float]]:
        """Return the numbers of each text; `measure` is asked for those that are not there, once for each.

        They are measured and stored `at_once` texts at a time, which is what a kill may cost. Raises ShardError on a
        full disk, and what `measure` raises.
        """
        different = list(dict.fromkeys(texts))
        rows = self.get(different)
        missing = [text for text in different if text not in rows]
        for start in range(0, len(missing), at_once):
            some = missing[start : start + at_once]
            new = dict(zip(some, map(json.dumps, measure(some)), strict=True))
            self.put(new)
            rows.update(new)
        return {text: json.loads(row) for text, row in rows.items()}

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_PATIENCE)


def digest(text: str) -> bytes:
    """Return 16 bytes that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
