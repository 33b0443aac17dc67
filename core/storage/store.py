"""The row store: results of models, such as translations, by input text, for all builds.

There is one SQLite file for each version of a model, so two models never share rows. The key of a row is the digest of
the text. A group of rows is stored in one transaction, so a killed process loses at most one group. Each row has a
checksum of key and value: a row that does not match is deleted, and a file that SQLite cannot read is renamed to
`<name>.damaged`.
"""

import hashlib
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import warn
from bitext_pivot.core.storage.locks import locked

_Result = TypeVar("_Result")
_TIMEOUT = 120.0
"""Seconds to wait while another worker writes."""
_BATCH = 500
"""Maximum number of keys in a query. Old builds of SQLite allow 999 parameters."""
_SURROUNDINGS = frozenset({
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
})  # fmt: skip
"""SQLite errors that have other causes than the content of the file (sqlite.org/rescode.html). All other errors mean
that the file is damaged."""


class RowStore:
    """Results of a model by input text, in one SQLite file. Safe for the threads and processes of one machine.

    All methods raise ShardError if the disk is full, or if the file stays locked or cannot be opened.
    """

    def __init__(self, folder: Path, signature: str) -> None:
        self.path = folder / f"{hashlib.sha256(signature.encode()).hexdigest()[:16]}.sqlite"
        self._signature = signature

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the stored results by text, without the texts that are not stored.

        Damaged rows are deleted, which is logged.
        """
        by_key = {digest(text): text for text in texts}
        keys = list(by_key)

        def stored(connection: sqlite3.Connection) -> dict[bytes, str | None]:
            rows: dict[bytes, str | None] = {}
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                placeholders = ",".join("?" * len(batch))
                query = f"SELECT key, value, checksum FROM rows WHERE key IN ({placeholders})"  # noqa: S608 -- question marks
                rows |= {
                    key: _check_row(key, *row) for key, *row in connection.execute(query, batch)
                }
            if damaged := [(key,) for key, value in rows.items() if value is None]:
                connection.executemany("DELETE FROM rows WHERE key = ?", damaged)
            return rows

        rows = self._run(stored)
        if damaged := list(rows.values()).count(None):
            warn(
                f"{self.path.name}: {damaged} damaged rows of {self._signature!r} are computed again"
            )
        return {by_key[key]: value for key, value in rows.items() if value is not None}

    def put(self, rows: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        """Store a result for each text: all of them, or none on an error. Existing results are not replaced."""
        items = [
            (digest(text), value)
            for text, value in (rows.items() if isinstance(rows, Mapping) else rows)
        ]
        checked = [(key, value, _checksum(key, value.encode())) for key, value in items]
        self._run(
            lambda connection: connection.executemany(
                "INSERT OR IGNORE INTO rows VALUES (?, ?, ?)", checked
            )
        )

    def numbers(
        self,
        texts: Sequence[str],
        measure: Callable[[Sequence[str]], Sequence[Sequence[float]]],
        at_once: int,
    ) -> dict[str, list[float]]:
        """Return the list of numbers of each text, from the store or computed by `measure`.

        `measure` gets only texts that are not stored, each once, and at most `at_once` of them at a time. Its results
        are stored after each call, so a killed process loses at most one call. Raises the errors of `measure`.
        """
        distinct = list(dict.fromkeys(texts))
        rows = self.get(distinct)
        missing = [text for text in distinct if text not in rows]
        for start in range(0, len(missing), at_once):
            batch = missing[start : start + at_once]
            numbers = measure(batch)
            if len(numbers) != len(batch):
                raise ValueError(f"{len(numbers)} lists of numbers for {len(batch)} keys")
            new = dict(zip(batch, map(json.dumps, numbers), strict=True))
            self.put(new)
            rows.update(new)
        return {text: json.loads(row) for text, row in rows.items()}

    def _run(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Run an action in one transaction and return its result. A damaged file is renamed first."""
        try:
            return self._attempt(action)
        except (sqlite3.DatabaseError, OSError):
            with locked(self.path, logging.getLogger(__name__)):
                return self._attempt_again(action)

    def _attempt_again(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Rename a damaged file, unless another worker has already done so, and run the action again."""
        try:
            try:
                return self._attempt(action)
            except sqlite3.DatabaseError as error:
                self._rename_damaged(error)
                return self._attempt(action)
        except (sqlite3.DatabaseError, OSError) as error:
            raise ShardError(
                f"{self.path} cannot be used ({error}). Free space, or make the file writable, and run again: stored "
                "rows are kept."
            ) from error

    def _attempt(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # There is no write-ahead log: its locks ignore the timeout, and shared folders do not support it.
        with closing(sqlite3.connect(self.path, timeout=_TIMEOUT)) as connection, connection:
            connection.text_factory = bytes  # a damaged text may not be UTF-8
            if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'rows'").fetchone():
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT)"
                )
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, value TEXT, checksum BLOB) WITHOUT ROWID"
                )
                connection.execute(
                    "INSERT OR IGNORE INTO facts VALUES ('signature', ?)", (self._signature,)
                )
            return action(connection)

    def _rename_damaged(self, error: sqlite3.DatabaseError) -> None:
        """Rename a damaged file, and delete the journal files of SQLite. Raises any other `error`."""
        code = error.sqlite_errorcode & 0xFF
        if code in _SURROUNDINGS or (
            code == sqlite3.SQLITE_READONLY and not os.access(self.path, os.W_OK)
        ):
            raise error
        renamed = self.path.with_suffix(".damaged")
        warn(
            f"{self.path} is damaged ({error}): its rows are computed again. It is kept as {renamed.name}"
        )
        self.path.replace(renamed)
        for suffix in ("-journal", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


def _check_row(key: bytes, value: object, checksum: object) -> str | None:
    """Return the value of a row, or None if the row is damaged."""
    if isinstance(value, bytes) and checksum == _checksum(key, value):
        return value.decode()
    return None


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.sha256(key + value).digest()[:8]


def digest(text: str) -> bytes:
    """Return the key of a text in the store: the first 16 bytes of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
