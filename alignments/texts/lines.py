"""Read parallel text as a stream: line n of one file is the translation of line n of the other.

Two files, plain or compressed, or OPUS' Moses zip: `moses/<a>-<b>.txt.zip` with the members `<Corpus>.<a>-<b>.<a>` and
`<Corpus>.<a>-<b>.<b>`, and perhaps `<Corpus>.<a>-<b>.ids` (`fromDoc<TAB>toDoc<TAB>ids<TAB>ids`) and
`<Corpus>.<a>-<b>.scores` (a number). Text is UTF-8, with or without byte order mark. Only LF and CR LF end a line, not
U+2028, U+0085, form feeds and the like.
"""

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from bitext_pivot.alignments.extract import Ids, Sides
from bitext_pivot.alignments.release import DAMAGES, Release
from bitext_pivot.alignments.texts.segments import LONGEST, Segment
from bitext_pivot.core.errors import DamagedError, SourceError

_LONGEST_LINE = 6 * LONGEST  # bytes; a longer line is too long as a segment in any encoding
_OPENERS: dict[str, Callable[[Path], object]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def read_files(left: Path, right: Path) -> Iterator[Segment]:
    """Yield the lines of two files; the file names are the documents and line numbers the ids.

    Files that end in .gz, .bz2 or .xz are decompressed. Bytes that are not UTF-8 become U+FFFD. Raises SourceError if a
    file is missing, UTF-16 or empty, and after the last line of the shorter file, with both counts; DamagedError if one
    is damaged.
    """
    names = [str(left), str(right)]
    with ExitStack() as stack:
        files = [texts(stack.enter_context(opened(path)), path) for path in (left, right)]
        for number, rows in _together(files, names):
            name = (str(number),)
            yield Segment(number, (rows[0], rows[1]), (left.name, right.name), (name, name), {})


def read_zip(path: Path, release: Release) -> Iterator[Segment]:
    """Yield the lines of a Moses zip as `read_files`, with its documents, ids and scores.

    Raises SourceError as `read_files`, and if there is not one member for each language.
    """
    with ExitStack() as stack:
        archive = stack.enter_context(_opened_zip(path))
        members = _members(archive, release)
        names = [f"{path}:{member}" for member in members.values()]
        open_members = [stack.enter_context(_member(archive, path, member)) for member in members.values()]
        files = [texts(file, path, member=member) for file, member in zip(open_members, members.values(), strict=True)]
        documents = Path(members[release.a]).name, Path(members[release.b]).name
        for number, rows in _together(files, names):
            yield _segment(number, dict(zip(members, rows, strict=True)), release, documents)


COMPRESSED = frozenset(_OPENERS)
"""Endings of the names of files that are decompressed."""


def opened(path: Path) -> IO[bytes]:
    """Open a file, decompressed by the ending of its name; raises SourceError if that fails."""
    try:
        return cast(IO[bytes], _OPENERS.get(path.suffix, partial(Path.open, mode="rb"))(path))
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error}). Check the file and its rights.") from error


def texts(file: IO[bytes], path: Path, *, member: str = "", longest: int = _LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a file without their ends, cut off after `longest` bytes (-1: never).

    `path`, and `member` for one in a zip, are for messages. Raises as `read_files`.
    """
    name = f"{path}:{member}" if member else str(path)
    read = partial(file.readline, longest)
    try:
        line = read()
        if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise SourceError(f"{name} is UTF-16; expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8.")
        line = line.removeprefix(codecs.BOM_UTF8)
        while line:
            yield line.removesuffix(b"\n").removesuffix(b"\r").decode(errors="replace")
            while len(line) == longest and not line.endswith(b"\n"):
                line = read()
            line = read()
    except DAMAGES as error:
        raise DamagedError(path, f"{name} is damaged or cut short ({error}). Fetch or compress it again.") from error


def _together(files: Sequence[Iterator[str]], names: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    number = 0
    for number, rows in enumerate(zip_longest(*files), 1):
        if None in rows:
            rest = (sum(1 for _ in file) for file in files)
            counts = (number - (row is None) + more for row, more in zip(rows, rest, strict=True))
            text = ", ".join(f"{name} has {count} lines" for name, count in zip(names, counts, strict=True))
            raise SourceError(
                f"{text}: expected as many in each, since line n of one is line n of the other. "
                "Find the line that was lost or added, or name files that belong together."
            )
        yield number, rows
    if not number:
        raise SourceError(f"{' and '.join(names)} hold no line; expected one segment per line. Name other files.")


def _opened_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except DAMAGES as error:
        raise DamagedError(path, f"{path} is no zip of lines ({error}). Use another mirror.") from error


def _member(archive: zipfile.ZipFile, path: Path, name: str) -> IO[bytes]:
    try:
        return io.BufferedReader(cast(io.RawIOBase, archive.open(name)), 1 << 17)
    except DAMAGES as error:
        raise DamagedError(
            path, f"{path}:{name} cannot be read ({error}); expected a plain zip. Use another mirror."
        ) from error


def _members(archive: zipfile.ZipFile, release: Release) -> dict[str, str]:
    """Return the members of both languages, then `ids` and `scores` if they exist."""
    members: dict[str, str] = {}
    for kind in (*release.languages, "ids", "scores"):
        names = [name for name in archive.namelist() if name.endswith(f".{release.a}-{release.b}.{kind}")]
        if len(names) > 1 or (not names and kind in release.languages):
            raise SourceError(
                f"{archive.filename} has {len(names)} members *.{release.a}-{release.b}.{kind} among "
                f"{', '.join(archive.namelist()) or 'none'}; expected one. Name the Moses zip of this pair."
            )
        if names:
            members[kind] = names[0]
    return members


def _segment(number: int, fields: dict[str, str], release: Release, documents: Sides) -> Segment:
    ids: Ids = (str(number),), (str(number),)
    bad = False
    if "ids" in fields:
        names = fields["ids"].split("\t")
        bad = len(names) != 4
        if not bad:
            documents = names[0].removesuffix(".gz"), names[1].removesuffix(".gz")
            ids = tuple(names[2].split()), tuple(names[3].split())
    attributes = {"score": fields["scores"].strip()} if "scores" in fields else {}
    return Segment(number, (fields[release.a], fields[release.b]), documents, ids, attributes, bad)
