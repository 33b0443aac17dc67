"""Read parallel text as a stream: line n of one file is the translation of line n of the other.

The text is in two files, plain or compressed, or in a Moses zip of OPUS. The zip `moses/<a>-<b>.txt.zip` has the
members `<Corpus>.<a>-<b>.<a>` and `<Corpus>.<a>-<b>.<b>`, and optionally `<Corpus>.<a>-<b>.ids`
(`fromDoc<TAB>toDoc<TAB>ids<TAB>ids`) and `<Corpus>.<a>-<b>.scores` (a number per line). core/text_files.py defines line
terminators and encodings.
"""

import io
import zipfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from bitext_pivot.alignments import zips
from bitext_pivot.alignments.extraction import SentenceIds
from bitext_pivot.alignments.release import DAMAGE_ERRORS, Release
from bitext_pivot.alignments.texts.segments import MAX_SEGMENT, SegmentPair
from bitext_pivot.core import text_files
from bitext_pivot.core.errors import DamagedError, SourceError
from bitext_pivot.core.storage import received

_LONGEST_LINE = 6 * MAX_SEGMENT  # bytes; in any encoding, a longer line exceeds MAX_SEGMENT


def read_files(left: Path, right: Path) -> Generator[SegmentPair]:
    """Yield the aligned lines of two files. File names become documents, and line numbers become ids.

    Raises the errors of `read_lines`, and SourceError if both files are empty. If one file is shorter than the other,
    SourceError is raised after its last line; the message contains the number of lines of both files.
    """
    names = [str(left), str(right)]
    with ExitStack() as stack:
        files = [
            stack.enter_context(closing(read_lines(path, longest=_LONGEST_LINE)))
            for path in (left, right)
        ]
        for number, rows in _zip_lines(files, names):
            name = (str(number),)
            yield SegmentPair(number, (rows[0], rows[1]), (left.name, right.name), (name, name), {})


def read_zip(path: Path, release: Release, *, refuses: bool = False) -> Generator[SegmentPair]:
    """Yield the aligned lines of a Moses zip, with its documents, ids and scores.

    Raises the errors of `read_files`, and SourceError unless there is one member for each language. If `refuses` is
    true, text in another encoding than UTF-8 is refused; otherwise its damaged lines are counted. UTF-16 is always
    refused.
    """
    with ExitStack() as stack:
        archive = stack.enter_context(_open_moses_zip(path))
        members = _find_members(archive, release)
        names = [f"{path}:{member}" for member in members.values()]
        files: list[Iterator[str]] = []
        for member, name in zip(members.values(), names, strict=True):
            file = stack.enter_context(_buffered(archive.open(member)))
            files.append(_read_texts(file, path, name, longest=_LONGEST_LINE, refuses=refuses))
        documents = Path(members[release.a]).name, Path(members[release.b]).name
        for number, rows in _zip_lines(files, names):
            yield _build_segment(number, dict(zip(members, rows, strict=True)), release, documents)


def read_lines(path: Path, *, longest: int = -1) -> Generator[str]:
    """Yield the lines of a file, plain or compressed, without their line terminators.

    A line is cut off after `longest` bytes, or never if `longest` is -1. Bytes that are not UTF-8 become U+FFFD. Raises
    SourceError if the file cannot be opened, DamagedError if it is damaged, and EncodingError if it is not UTF-8.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(received.opened(path))
        except OSError as error:
            raise SourceError(
                f"{path} cannot be read ({error}). Check the file and its permissions."
            ) from error
        text = text_files.decompressed(file, path)
        yield from _read_texts(text, path, str(path), longest=longest)


def _buffered(file: IO[bytes]) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, file), 1 << 17)


def _read_texts(
    file: IO[bytes], path: Path, name: str, *, longest: int, refuses: bool = True
) -> Iterator[str]:
    """Yield the lines of an open file or zip member. `name` is used in messages."""
    try:
        yield from text_files.lines(file, name, longest=longest, errors="replace", refuses=refuses)
    except DAMAGE_ERRORS as error:
        raise DamagedError(
            path, f"{name} is damaged or truncated ({error}). Download or compress it again."
        ) from error


def _zip_lines(
    files: Sequence[Iterator[str]], names: Sequence[str]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    number = 0
    for number, rows in enumerate(zip_longest(*files), 1):
        if None in rows:
            rest = (sum(1 for _ in file) for file in files)
            counts = (number - (row is None) + more for row, more in zip(rows, rest, strict=True))
            text = ", ".join(
                f"{name} has {count} lines" for name, count in zip(names, counts, strict=True)
            )
            raise SourceError(
                f"{text}; expected the same number of lines, because line n of one file is the translation of line n "
                "of the other. Find the line that was lost or added, or name two files that belong together."
            )
        yield number, rows
    if not number:
        raise SourceError(
            f"{' and '.join(names)} contain no line; expected one segment per line. Name other files."
        )


def _open_moses_zip(path: Path) -> zipfile.ZipFile:
    try:
        archive = zips.open_zip(path)
        # a damaged name would hide the member with the ids, without any message
        zips.check_member_names(archive, archive.infolist())
    except DAMAGE_ERRORS as error:
        raise DamagedError(
            path,
            f"{path} is damaged or is not a Moses zip ({error}). Use another mirror, or pack the files again.",
        ) from error
    return archive


def _find_members(archive: zipfile.ZipFile, release: Release) -> dict[str, str]:
    """Return the names of the zip members for both languages, and for `ids` and `scores` if present."""
    names = [info.filename for info in zips.list_members(archive)]
    members: dict[str, str] = {}
    for kind in (*release.languages, "ids", "scores"):
        extension = f".{release.a}-{release.b}.{kind}"
        matching = [name for name in names if name.endswith(extension)]
        if len(matching) > 1 or (not matching and kind in release.languages):
            raise SourceError(
                f"{archive.filename} has {len(matching)} members named *{extension}, but expected is one (its members: "
                f"{', '.join(names) or 'none'}). Name the Moses zip of this language pair."
            )
        if matching:
            members[kind] = matching[0]
    return members


def _build_segment(
    number: int, fields: dict[str, str], release: Release, documents: tuple[str, str]
) -> SegmentPair:
    ids: SentenceIds = (str(number),), (str(number),)
    is_unreadable = False
    if "ids" in fields:
        names = fields["ids"].split("\t")
        is_unreadable = len(names) != 4
        if not is_unreadable:
            documents = names[0].removesuffix(".gz"), names[1].removesuffix(".gz")
            ids = tuple(names[2].split()), tuple(names[3].split())
    attributes = {"score": fields["scores"].strip()} if "scores" in fields else {}
    return SegmentPair(
        number, (fields[release.a], fields[release.b]), documents, ids, attributes, is_unreadable
    )
