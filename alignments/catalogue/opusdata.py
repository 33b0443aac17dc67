"""Query the catalogue of OPUS that opustools ships: `opusdata.db.gz`, an SQLite table with one row per file.

The table `opusfile` has the columns corpus, version, preprocessing (xml, raw, moses, tmx ...), source, target ("" for
the documents of one language), url, documents, alignment_pairs, source_tokens, target_tokens, latest ("True" or
"False"), and size in KiB, rounded down (opustools divides bytes by 1024). Unknown numbers are "".

The catalogue is read with plain SQLite and not with the queries of opustools, which sort the two languages and so miss
pairs that are not in ASCII order, and which select corpora by a column that is wrong for some.
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

_Row = Mapping[str, Any]
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
"""Query for a table of all files of two languages. Corpus and release are parsed from the URLs.

Corpora without files, such as komi, and word alignments are excluded."""
_RELEASES = """
WITH pairs AS (  -- the other columns are those of the row with the minimum
    SELECT *, source AS a, target AS b, min(instr('xml moses tmx', kind)) FROM files WHERE target != ''
    GROUP BY corpus, release, source, target
), parts AS (  -- the files of a pair, archives of documents included
    SELECT corpus, release, a, b, files.name, files.bytes, files.links,
        CASE WHEN files.kind = 'xml' AND files.target != '' THEN 'links' ELSE files.kind END AS part
    FROM pairs JOIN files USING (corpus, release)
    WHERE files.source IN (a, b) AND files.target IN (b, '')
), releases AS (
    SELECT corpus, release, a, b, json_group_object(name, bytes) AS files,
        nullif(max(CASE WHEN part IN ('links', 'moses') THEN links ELSE 0 END), 0) AS links
    FROM parts GROUP BY corpus, release, a, b
), whole AS (  -- documents are an archive of each language
    SELECT corpus, release, a, b, part, sum(bytes) AS bytes
    FROM parts GROUP BY corpus, release, a, b, part HAVING count(*) > (part IN ('raw', 'xml'))
), sizes AS (
    SELECT corpus, release, a, b, json_group_object(part, bytes) AS sizes
    FROM (SELECT * FROM whole ORDER BY instr('links raw xml moses tmx', part)) GROUP BY corpus, release, a, b
)
SELECT json_object(
    'corpus', corpus, 'release', release, 'a', a, 'b', b,
    'latest', json(CASE WHEN listed = corpus THEN lower(latest) ELSE (  -- else the flag is that of another corpus
        SELECT iif(count(DISTINCT release) = 1, 'true', 'false') FROM files
        WHERE corpus = pairs.corpus AND target != ''
    ) END),
    'documents', documents, 'links', releases.links, 'tokens', json_array(source_tokens, target_tokens),
    'files', json(files), 'sizes', json(coalesce(sizes, '{}'))
) AS entry
FROM pairs JOIN releases USING (corpus, release, a, b) LEFT JOIN sizes USING (corpus, release, a, b)
ORDER BY max(coalesce(releases.links, 0)) OVER (PARTITION BY corpus) DESC, corpus, entry ->> 'latest' DESC,
    coalesce(releases.links, 0) DESC, release, a, b
"""


class Catalogue:
    """The catalogue of OPUS in an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def languages(self) -> list[str]:
        """Return the codes of all languages in the spelling of OPUS: `pt`, `pt_BR`, `pt_br` ..."""
        return self._column(
            "SELECT DISTINCT source FROM opusfile UNION SELECT DISTINCT target FROM opusfile"
        )

    def corpora(self) -> list[str]:
        """Return the names of all corpora, parsed from the URLs of their files."""
        return self._column(
            "SELECT DISTINCT substr(rest, 1, instr(rest, '/') - 1) FROM "
            "(SELECT substr(url, instr(url, '/OPUS-') + 6) AS rest FROM opusfile WHERE url LIKE '%/OPUS-%')"
        )

    def partners(self, language: str) -> list[str]:
        """Return the languages that at least one corpus links with the given language."""
        pairs = (
            "SELECT target FROM opusfile WHERE source = :language "
            "UNION SELECT source FROM opusfile WHERE target = :language"
        )
        return [code for code in self._column(pairs, {"language": language}) if code != language]

    def releases(
        self, first_codes: Sequence[str], second_codes: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return the facts about each release of a language pair.

        The two arguments are all codes of the first and of the second language. The corpus with the most links comes
        first, and its latest release before the others. The facts are `corpus`, `release`, `a`, `b`, `latest`,
        `documents`, `links`, `tokens`, and sizes in bytes by file (`files`) and by kind of file (`sizes`).
        """
        rows = self._select(_RELEASES, files=(first_codes, second_codes))
        return [json.loads(row["entry"]) for row in rows]

    def documents(self, language: str) -> list[str]:
        """Return `corpus/release` of every release with raw documents of a language."""
        query = "SELECT corpus || '/' || release FROM files WHERE kind = 'raw' AND target = ''"
        return self._column(query, files=([language], []))

    def _column(self, query: str, values: _Row | None = None, **tables: Any) -> list[str]:
        rows = self._select(query, values, **tables)
        return sorted(text for row in rows for text in map(str, row.values()) if text)

    def _select(
        self,
        query: str,
        values: _Row | None = None,
        *,
        files: tuple[Sequence[str], Sequence[str]] | None = None,
    ) -> list[_Row]:
        """Return the rows of a query.

        If `files` is given, with all codes of the first and of the second language, the temporary table `files` is
        created first.
        """
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
            raise _unreadable_error(self.path, error) from error


def open_catalogue(site: Site) -> Catalogue:
    """Return the catalogue that `site.catalogue` names, or the catalogue of opustools.

    A compressed catalogue is unpacked to the cache folder. The name of the copy contains a digest of the compressed
    file, so another version gets a copy of its own. A damaged copy is unpacked again. The 130 MB of the copy are
    verified only if its size, times or inode have changed.

    Raises SourceError if the catalogue is missing or damaged, and ShardError if the copy cannot be written.
    """
    packed = site.catalogue or _find_in_opustools()
    if packed.suffix != ".gz":
        return Catalogue(packed)
    facts_of_packed = packed.stat()
    digits = key(str(packed), facts_of_packed.st_size, facts_of_packed.st_mtime_ns)
    path = site.cache_folder / f"opusdata-{digits}.db"
    facts = atomic.find_sealed(atomic.manifest_path(path))
    if facts is None or not path.exists() or not _is_intact(path, facts):
        with atomic.replacing(path) as partial, partial.open("wb") as out:
            for block in _unpack(packed):
                out.write(block)
        _seal(path)
    return Catalogue(path)


def _is_intact(path: Path, facts: Mapping[str, Any]) -> bool:
    """Return True if the unpacked copy has not changed since it was written."""
    if facts.get("version") == [*atomic.version_of(path)]:
        return True
    if not atomic.is_intact(path, facts["sha256"]):
        return False
    with suppress(ShardError):  # in a read-only folder the copy is verified each time
        _seal(path)
    return True


def _seal(path: Path) -> None:
    """Store the digest, size and times of the unpacked copy, for `_is_intact`."""
    facts = {"sha256": atomic.sha256(path), "version": [*atomic.version_of(path)]}
    atomic.write_sealed(atomic.manifest_path(path), facts)


def _find_in_opustools() -> Path:
    """Return the path of the catalogue in opustools without importing it, which takes a second."""
    spec = importlib.util.find_spec("opustools")
    if spec is None or spec.origin is None:
        raise SourceError(
            "opustools is not installed; it is a dependency of bitext-pivot. Install bitext-pivot again."
        )
    return Path(spec.origin).with_name("opusdata.db.gz")


def _unpack(packed: Path) -> Iterator[bytes]:
    try:
        with gzip.open(packed) as source:
            while block := source.read(_BLOCK):
                yield block
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable_error(packed, error) from error


def _unreadable_error(path: Path, error: Exception) -> SourceError:
    return SourceError(
        f"{path} cannot be read as a catalogue of OPUS ({error}); expected opusdata.db of opustools, an SQLite file "
        "with the table opusfile, plain or as .gz. Delete a damaged copy, or correct BITEXT_PIVOT_CATALOGUE."
    )
