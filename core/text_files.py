"""Lines of text files: plain or compressed, UTF-8 with or without byte order mark, ended by LF, CR LF or CR."""

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
"""What is wrong with a line, for messages and counts."""
LONGEST = 64 << 20
"""Bytes of a line."""
_SAMPLE = 1 << 20  # bytes at the beginning of a file that decide its line ends and its encoding
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
"""How files that are no text begin, and what a message says of them."""
_NULS = bytes(32)
"""Padding, which no encoding of text has."""
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
    """Return the file extension in lower case, without the one of a compression: `.csv` of `A.CSV.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


@contextmanager
def _new_gzip(path: Path) -> Iterator[IO[bytes]]:
    """Create a file without the name and the time in its header: equal texts are equal bytes."""
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
    """Create a text file in UTF-8, compressed by the ending of `name`; raises OSError if that fails."""
    creator = _CREATORS.get(name.suffix.lower(), partial(Path.open, mode="wb"))
    with cast(IO[bytes], creator(path)) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        yield text
        text.detach()  # writes the rest; the file is closed here


def pointer(path: Path) -> str:
    """Return the message for a file that is a pointer of Git LFS, "" for another one; raises OSError."""
    with path.open("rb") as file:
        if file.read(len(_POINTER)) != _POINTER:
            return ""
    return f"{path} is a Git LFS pointer, not the file itself. Run `git lfs pull` in its folder."


def decompressed(file: IO[bytes], path: Path) -> IO[bytes]:
    """Return an open file as it is, or decompressed by the ending of its name."""
    reader = _READERS.get(path.suffix.lower())
    return cast(IO[bytes], reader(file)) if reader else file


def is_utf8(line: str) -> bool:
    """Return True for a line of `lines` whose bytes were UTF-8."""
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
    """Yield the lines of an open file without their ends.

    LF and CR LF end a line, not U+2028, U+0085, form feeds and the like. CR alone ends a line if the file has more of
    them than LF, as files of old Macs and of Excel. The file is read once, so that it may be a pipe.

    Args:
        file: The open file, read from where it is.
        name: Its name, for messages.
        longest: Bytes after which a line is cut off; -1: a line of more than `LONGEST` bytes is refused.
        errors: What becomes of bytes that are not UTF-8, as in `bytes.decode`.
        refuses: Refuse a file whose beginning is in another encoding than UTF-8; a file with a few damaged lines among
            others is read.

    Raises:
        EncodingError: The file is a workbook, Parquet or compressed, UTF-16 or UTF-32, or another
            encoding than UTF-8 is more likely.
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
    """Yield the lines of a block and of what follows it in a file; of a line at least the first `longest` bytes."""
    rest = b""
    while block:
        block = rest + block
        last = b"\r" if block.endswith(b"\r") else b""  # perhaps of CR LF
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
    """Raise EncodingError for UTF-16 and UTF-32, where Latin letters have one or three bytes that are zero."""
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
    """Raise EncodingError if of the lines with other than ASCII characters at most half are UTF-8."""
    texts = _ANY_END.split(start)
    if not is_whole:
        texts.pop()  # perhaps cut inside a character
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
