"""Alignments that a corpus has more than once: the first is kept, whatever run meets it first.

A file beside the shards tells for each pair of texts which link had it first. An alignment is a duplicate when that is
another link than its own. So nothing need be undone after a kill: what was written for links whose shard is not there
yet names these very links, and they are kept again when they are read again.
"""

import hashlib
import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import Field

from pairs.errors import ShardError
from pairs.records import Alignment
from pairs.settings import Settings

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CACHE = -16_384  # KiB of pages in memory, whatever the size of the file
_SCHEMA = """
CREATE TABLE IF NOT EXISTS seen (key INTEGER PRIMARY KEY, link INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS covered (one INTEGER PRIMARY KEY CHECK (one = 1), link INTEGER NOT NULL);
INSERT OR IGNORE INTO covered VALUES (1, 0);
"""


class Duplicates(Settings):
    """Which alignments say what an earlier one of the corpus said."""

    enabled: bool = Field(
        default=True,
        title="On",
        description="Leave out alignments whose three sentences an earlier link of the same corpus has too.",
    )
    ignore_numbers: bool = Field(
        default=False,
        title="Numbers are alike",
        description="Also leave out alignments that differ from an earlier one in numbers only, as in tables and laws.",
    )

    def key(self, alignment: Alignment) -> int:
        """Return 64 bits that stand for the three texts; case counts, blanks and the composition of Unicode do not.

        Among 20 million different alignments, two have one key with a probability of about 1 in 100,000.
        """
        text = "\x1f".join((alignment.one_language, *map(_plain, (alignment.one, *alignment.two))))
        if self.ignore_numbers:
            text = _NUMBER.sub("0", text)
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)


class FirstLinks:
    """The link that had each key first, in one SQLite file; for one reader of one corpus at a time.

    20 million keys take about 0.4 GB of disk; memory stays at the page cache.
    """

    def __init__(self, path: Path) -> None:
        """Open the file or make it; raises ShardError when it is damaged or cannot be written."""
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._connection.execute(f"PRAGMA cache_size={_CACHE}")
                self._connection.execute("PRAGMA journal_mode=DELETE")  # works on shared folders as well
                self._connection.execute("PRAGMA synchronous=FULL")  # no shard may be safer on disk than this
                self._connection.executescript(_SCHEMA)
            except sqlite3.Error:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def covered(self) -> int:
        """The last link that the file knows of."""
        with self._explained():
            ((covered,),) = self._connection.execute("SELECT link FROM covered").fetchall()
        return int(covered)

    def require(self, after_link: int) -> None:
        """Raise ShardError when the file has not seen all links up to `after_link`, which shards hold already."""
        covered = self.covered
        if covered < after_link:
            raise ShardError(
                f"{self.path} knows the links up to {covered}, but there are shards up to link {after_link}: what is "
                "behind them could repeat what they hold. Delete the shards of this corpus and run again."
            )

    def claim(self, keys: Sequence[int], links: Sequence[int], covered: int) -> list[bool]:
        """Tell of each key whether no other link had it before; all is on the disk when this returns, or nothing is.

        `links` ascend; `covered` is the last link read, with or without a key. Raises ShardError.
        """
        rows = sorted(zip(keys, links, strict=True))  # neighbours in the file together, the earlier link first
        with self._explained(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?)", rows)
            self._connection.execute("UPDATE covered SET link = max(link, ?)", (covered,))
            owners = [self._owner(key) for key in keys]
        return [owner == link for owner, link in zip(owners, links, strict=True)]

    def _owner(self, key: int) -> int:
        ((link,),) = self._connection.execute("SELECT link FROM seen WHERE key = ?", (key,)).fetchall()
        return int(link)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ShardError(
                f"{self.path} cannot count duplicates ({error}). Free space or repair the folder and run again; "
                "when the file is damaged, delete it together with the shards of this corpus."
            ) from error


def link_number(alignment: Alignment) -> int:
    """Return the place of an alignment's link in the link file, the last part of its id."""
    return int(alignment.id.rpartition(":")[2])


def _plain(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())
