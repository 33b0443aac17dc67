"""The catalogue of OPUS that opustools ships: `opusdata.db.gz`, an SQLite table with one row per file.

A row of `opusfile` has corpus, version, preprocessing (xml, raw, moses, tmx ...), source, target ("" for the documents
of one language), url, documents, alignment_pairs, source_tokens, target_tokens, latest ("True" or "False") and size:
KiB, rounded down (opustools divides the bytes by 1024). Unknown numbers are "". It is read with plain SQLite because
the queries of opustools sort every pair, so they miss pairs against ASCII order, and select corpora by a column that is
wrong for some.
"""

import gzip
import importlib.util
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bitext_pivot.core.errors import ShardError, SourceError
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

Row = Mapping[str, Any]
_BLOCK = 1 << 20
_FILES = """
CREATE TEMP TABLE files AS
WITH first(code) AS (SELECT value FROM json_each(:first)),
second(code) AS (SELECT value FROM json_each(:second)),
named AS MATERIALIZED (
    SELECT *, substr(url, instr(url, '/OPUS-') + 1) AS name FROM opusfile
    WHERE (source IN first AND target IN second) OR (source IN second AND target IN first)
    OR (target = '' AND (source IN first OR source IN second))
), parts AS (
    SELECT *, substr(name, 6, instr(name, '/') - 6) AS folder, substr(name, instr(name, '/') + 1) AS rest
    FROM named WHERE url LIKE '%/OPUS-%/%/%/%' AND preprocessing IN ('xml', 'raw', 'moses', 'tmx')
)
SELECT source, target, corpus AS listed, preprocessing AS kind, latest, name,
    folder AS corpus, substr(rest, 1, instr(rest, '/') - 1) AS release,
    CASE typeof(size) WHEN 'integer' THEN size * 1024 ELSE 0 END AS bytes,
    CASE typeof(documents) WHEN 'integer' THEN documents END AS documents,
    CASE typeof(alignment_pairs) WHEN 'integer' THEN alignment_pairs END AS links,
    CASE typeof(source_tokens) WHEN 'integer' THEN source_tokens END AS source_tokens,
    CASE typeof(target_tokens) WHEN 'integer' THEN target_tokens END AS target_tokens
FROM parts
"""
"""The files of two languages, with corpus and release of their addresses.

Corpora without files, such as komi, and word alignments are left out."""
_RELEASES = """
WITH pairs AS (  -- the other columns are those of the row with the minimum
    SELECT *, min(instr('xml moses tmx', kind)) FROM files WHERE target != ''
    GROUP BY corpus, release, source, target
), releases AS (
    SELECT corpus, release, source AS a, target AS b, documents, source_tokens, target_tokens,
        CASE WHEN listed = corpus THEN latest = 'True' ELSE (  -- else the flag is that of another corpus
            SELECT count(DISTINCT release) FROM files WHERE corpus = pairs.corpus AND target != ''
        ) = 1 END AS latest,
        (
            SELECT nullif(max(links), 0) FROM files
            WHERE (corpus, release) = (pairs.corpus, pairs.release)
            AND source = pairs.source AND target = pairs.target AND kind IN ('xml', 'moses')
        ) AS links,
        (
            SELECT json_group_object(name, bytes) FROM files
            WHERE (corpus, release) = (pairs.corpus, pairs.release)
            AND source IN (pairs.source, pairs.target) AND target IN (pairs.target, '')
        ) AS files
    FROM pairs
)
SELECT *, max(coalesce(links, 0)) OVER (PARTITION BY corpus) AS most FROM releases
ORDER BY most DESC, corpus, latest DESC, coalesce(links, 0) DESC, release, a, b
"""


class Database:
    """The catalogue in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def languages(self) -> list[str]:
        """Return the codes of all languages, as OPUS spells them: `pt`, `pt_BR`, `pt_br` ..."""
        return self._column(
            "SELECT DISTINCT source FROM opusfile UNION SELECT DISTINCT target FROM opusfile"
        )

    def corpora(self) -> list[str]:
        """Return the names of all corpora, by the addresses of their files."""
        return self._column(
            "SELECT DISTINCT substr(rest, 1, instr(rest, '/') - 1) FROM "
            "(SELECT substr(url, instr(url, '/OPUS-') + 6) AS rest FROM opusfile WHERE url LIKE '%/OPUS-%')"
        )

    def partners(self, language: str) -> list[str]:
        """Return the languages that have links with a language in any corpus."""
        pairs = (
            "SELECT target FROM opusfile WHERE source = :language "
            "UNION SELECT source FROM opusfile WHERE target = :language"
        )
        return [code for code in self._column(pairs, {"language": language}) if code != language]

    def releases(self, first_codes: Sequence[str], second_codes: Sequence[str]) -> list[Row]:
        """Return a row for each release and pair of a first and a second code.

        The corpus with the most links comes first, its latest release first. Columns: corpus, release, a, b, latest,
        documents, links, source_tokens, target_tokens, and in JSON the bytes by file, documents included.
        """
        return self._select(_RELEASES, files=(first_codes, second_codes))

    def documents(self, language: str) -> list[str]:
        """Return `corpus/release` of all that have raw documents of a language."""
        query = "SELECT corpus || '/' || release FROM files WHERE kind = 'raw' AND target = ''"
        return self._column(query, files=([language], []))

    def _column(self, query: str, values: Row | None = None, **tables: Any) -> list[str]:
        rows = self._select(query, values, **tables)
        return sorted(text for row in rows for text in map(str, row.values()) if text)

    def _select(
        self,
        query: str,
        values: Row | None = None,
        *,
        files: tuple[Sequence[str], Sequence[str]] | None = None,
    ) -> list[Row]:
        """Return the rows of a query; `files` are the codes of both languages for the table of that name."""
        address = f"file:{quote(str(self.path.absolute()))}?mode=ro&immutable=1"
        try:
            with closing(sqlite3.connect(address, uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                if files:
                    first, second = map(json.dumps, files)
                    connection.execute("PRAGMA temp_store = MEMORY")
                    connection.execute(_FILES, {"first": first, "second": second})
                    connection.execute("CREATE INDEX temp.places ON files (corpus, release)")
                return [dict(row) for row in connection.execute(query, values or {})]
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error


def database(site: Site) -> Database:
    """Return the catalogue that the site names, or that of opustools, unpacked to the cache folder.

    The name of the copy has what changes with the packed file, so another version gets another copy; a damaged
    copy is unpacked again. Its 130 MB are read again only if its size, times or inode have changed.

    Raises SourceError if the catalogue is missing or damaged, ShardError if the copy cannot be written.
    """
    packed = site.catalogue or _shipped()
    if packed.suffix != ".gz":
        return Database(packed)
    try:
        facts_of_packed = packed.stat()
        digits = key(str(packed), facts_of_packed.st_size, facts_of_packed.st_mtime_ns)
        path = site.catalogue_folder / f"opusdata-{digits}.db"
    except OSError as error:
        raise _unusable(packed, error) from error
    facts = atomic.find_sealed(atomic.manifest_path(path))
    if facts is None or not path.exists() or not _is_intact(path, facts):
        with atomic.replacing(path) as partial, partial.open("wb") as out:
            for block in _unpacked(packed):
                out.write(block)
        _seal(path)
    return Database(path)


def _is_intact(path: Path, facts: Mapping[str, Any]) -> bool:
    """Return True if a copy is what was unpacked."""
    version = atomic.version_of(path)
    if version is not None and facts.get("version") == list(version):
        return True
    if not atomic.is_intact(path, facts["sha256"]):
        return False
    with suppress(ShardError):  # in a folder that cannot be written it is read each time
        _seal(path)
    return True


def _seal(path: Path) -> None:
    """Write the digest of a copy, and what changes with the file unless it has just been written."""
    version = atomic.version_of(path)
    atomic.write_sealed(
        atomic.manifest_path(path),
        {"sha256": atomic.sha256(path), "version": version and list(version)},
    )


def _shipped() -> Path:
    """Return the catalogue that comes with opustools, whose import takes a second."""
    spec = importlib.util.find_spec("opustools")
    if spec is None or spec.origin is None:
        raise SourceError(
            "opustools is not installed here: install bitext-pivot again, with what it needs."
        )
    return Path(spec.origin).with_name("opusdata.db.gz")


def _unpacked(packed: Path) -> Iterator[bytes]:
    try:
        with gzip.open(packed) as source:
            while block := source.read(_BLOCK):
                yield block
    except (OSError, EOFError, zlib.error) as error:
        raise _unusable(packed, error) from error


def _unusable(path: Path, error: Exception) -> SourceError:
    return SourceError(
        f"{path} cannot be read as a catalogue of OPUS ({error}). Expected opusdata.db of opustools, an SQLite file "
        "with the table opusfile, or the same as .gz: delete a damaged copy, or correct BITEXT_PIVOT_CATALOGUE."
    )
