"""Read and create text files: plain or compressed, in UTF-8, with any of the line terminators LF, CR LF and CR."""

import bz2
import codecs
import gzip
import io
import lzma
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import IO, TextIO, cast

from bitext_pivot.core.errors import EncodingError

NO_UTF8 = "not UTF-8"
"""The name under which lines with a wrong encoding are counted and reported."""
LONGEST = 64 << 20
"""Maximum length of a line, in bytes."""
_SAMPLE = 1 << 20
"""Number of bytes at the beginning of a file from which line terminator and encoding are detected."""
_WORKBOOK = "a workbook of a spreadsheet, or an archive; expected text. Save it as CSV, in UTF-8."
_COMPRESSED = "compressed; expected text. Its name must end in {}."
_NO_TEXTS = {
    b"PK\x03\x04": _WORKBOOK,  # a zip: .xlsx, .ods
    b"\xd0\xcf\x11\xe0": _WORKBOOK,  # Microsoft's older format: .xls
    b"PAR1": "Parquet; expected text. Where tables are read its name must end in .parquet.",
    b"\x1f\x8b": _COMPRESSED.format(".gz"),
    b"BZh91AY": _COMPRESSED.format(".bz2"),
    b"\xfd7zXZ": _COMPRESSED.format(".xz"),
    b"\x28\xb5\x2f\xfd": _COMPRESSED.format(".zst"),
}
"""The first bytes of files that do not contain text, and the message for each kind."""
_NULS = bytes(32)
"""A block of zero bytes, which does not occur in text of any encoding."""
_POINTER = b"version https://git-lfs"
_LONE_CR = re.compile(rb"\r(?![\r\n])")
_ANY_END = re.compile(rb"\r\n?|\n")
_LINE_FEED = re.compile(rb"\n")


def _zstandard(file: IO[bytes]) -> IO[bytes]:
    import pyarrow as pa  # takes a third of a second

    return cast(IO[bytes], io.BufferedReader(pa.input_stream(file, compression="zstd")))


_READERS: dict[str, Callable[[IO[bytes]], object]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _zstandard,
}
COMPRESSED = frozenset(_READERS)
"""File extensions of text files that are decompressed when they are read, and compressed when they are written."""


def extension(path: PurePath) -> str:
    """Return the file extension in lower case, ignoring the extension of a compression: `A.CSV.gz` -> `.csv`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


@contextmanager
def _new_gzip(path: Path) -> Iterator[IO[bytes]]:
    """Create a gzip file whose header has no name and no time, so that equal texts give equal bytes."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        yield cast(IO[bytes], file)


def _new_zstandard(path: Path) -> IO[bytes]:
    import pyarrow as pa  # takes a third of a second

    return cast(IO[bytes], pa.output_stream(str(path), compression="zstd"))


_CREATORS: dict[str, Callable[[Path], object]] = {
    ".gz": _new_gzip,
    ".bz2": partial(bz2.open, mode="wb"),
    ".xz": partial(lzma.open, mode="wb"),
    ".zst": _new_zstandard,
}


@contextmanager
def created(path: Path, name: Path) -> Iterator[TextIO]:
    """Create a text file in UTF-8, compressed according to the file extension of `name`. Raises OSError."""
    creator = _CREATORS.get(name.suffix.lower(), partial(Path.open, mode="wb"))
    with cast(IO[bytes], creator(path)) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        yield text
        text.detach()  # flushes the text; the `with` statement closes the file


def pointer(path: Path) -> str:
    """Return an error message if a file is only a pointer of Git LFS, otherwise "".

    Raises OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        if file.read(len(_POINTER)) != _POINTER:
            return ""
    return f"{path} is a Git LFS pointer, not the file itself. Run `git lfs pull` in its folder."


def decompressed(file: IO[bytes], path: Path) -> IO[bytes]:
    """Return an open file, decompressed if the extension of `path` is that of a compressed file."""
    reader = _READERS.get(path.suffix.lower())
    return cast(IO[bytes], reader(file)) if reader else file


def is_utf8(line: str) -> bool:
    """Return True if a line that `lines` yielded was valid UTF-8."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def lines(
    file: IO[bytes],
    name: str,
    *,
    longest: int = -1,
    errors: str = "surrogateescape",
    refuses: bool = True,
) -> Iterator[str]:
    """Yield the lines of an open file without their line terminators.

    LF and CR LF terminate a line; U+2028, U+0085, form feeds and similar characters do not. CR alone terminates a line
    if the beginning of the file contains more CRs than LFs, as in files of old Macs and of Excel. The file is read only
    once, so it may be a pipe.

    Args:
        file: The open file, which is read from its current position.
        name: The name of the file, for messages.
        longest: Maximum number of bytes of a line; the rest of a longer line is dropped. With -1, a line of more than
            `LONGEST` bytes is an error.
        errors: How bytes that are not UTF-8 are handled, as in `bytes.decode`.
        refuses: If True, raise EncodingError if the beginning of the file is in another encoding than UTF-8. A few
            damaged lines are accepted.

    Raises:
        EncodingError: The file is a workbook, Parquet, compressed, UTF-16 or UTF-32, or its encoding is probably not
            UTF-8.
    """
    start = file.read(_SAMPLE)
    is_whole = len(start) < _SAMPLE
    for beginning, problem in _NO_TEXTS.items():
        if start.startswith(beginning):
            raise EncodingError(f"{name} is {problem}")
    _refuse_wide_characters(start, name)
    if refuses:
        _refuse_other_encodings(start, name, is_whole=is_whole)
    start = start.removeprefix(codecs.BOM_UTF8)
    end = _LINE_FEED
    if len(_LONE_CR.findall(start)) > start.count(b"\n"):
        end = _ANY_END
    for line in _split(start, file, end, name, longest):
        yield (line if longest < 0 else line[:longest]).decode(errors=errors)


def _split(
    block: bytes, file: IO[bytes], end: re.Pattern[bytes], name: str, longest: int
) -> Iterator[bytes]:
    """Yield the lines of a block and of the rest of the file, each with at least its first `longest` bytes."""
    rest = b""
    while block:
        block = rest + block
        last = b"\r" if block.endswith(b"\r") else b""  # may be the first half of CR LF
        *complete, rest = end.split(block.removesuffix(last))
        for line in complete:
            yield line.rstrip(b"\r")
        if longest >= 0:
            rest = rest[:longest]
        elif len(rest) > LONGEST:
            raise EncodingError(
                f"{name} has a line of more than {LONGEST >> 20} MiB, so it is no text. Name another file."
            )
        rest += last
        block = file.read(_SAMPLE)
    if rest:
        yield rest.rstrip(b"\r")


def _refuse_wide_characters(start: bytes, name: str) -> None:
    """Raise EncodingError for UTF-16 and UTF-32, where Latin letters contain zero bytes."""
    zeros = start.count(0) / max(1, len(start))
    encoding = None
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) or zeros > 0.5:
        encoding = "UTF-32"
    elif start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or zeros > 0.25:
        encoding = "UTF-16"
    if encoding is not None and _NULS in start:
        raise EncodingError(
            f"{name} has a block of NUL bytes: it is an archive, or was not copied completely. Expected text."
        )
    if encoding is not None:
        raise EncodingError(
            f"{name} is {encoding}; expected UTF-8. Convert it: iconv -f {encoding} -t UTF-8."
        )


def _refuse_other_encodings(start: bytes, name: str, *, is_whole: bool) -> None:
    """Raise EncodingError if at most half of the lines with non-ASCII characters are valid UTF-8."""
    texts = _ANY_END.split(start)
    if not is_whole:
        texts.pop()  # the last line may end inside a character
    good = 0
    bad: list[int] = []
    for number, text in enumerate(texts, 1):
        if text.isascii():
            continue
        try:
            text.decode()
            good += 1
        except UnicodeDecodeError:
            bad.append(number)
    if bad and len(bad) >= good:
        raise EncodingError(
            f"{name} is not UTF-8 (bad lines: {len(bad)}, the first is line {bad[0]}). Convert it from its own "
            "encoding, which is cp1252 in many files of Windows: iconv -f cp1252 -t UTF-8."
        )
