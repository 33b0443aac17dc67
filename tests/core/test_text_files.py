"""Lines of text files: line ends, byte order marks, compression, encodings."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import EncodingError
from bitext_pivot.core.storage import atomic, received


def read(data: bytes, **options: object) -> list[str]:
    return list(text_files.lines(io.BytesIO(data), "x.txt", **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"a\r\rb", ["a", "", "b"]),
        (b"a\rb", ["a", "b"]),
        (b"a\r", ["a"]),
        (b"a\rb\rc\n", ["a", "b", "c"]),
        (b"a\r\r\nb\r\r\n", ["a", "b"]),
        (b"a b\rc\nd\ne\n", ["a b\rc", "d", "e"]),
        ("a\u2028b\u0085c\x0cd\n".encode(), ["a\u2028b\u0085c\x0cd"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\xef\xbb\xbfa\rb", ["a", "b"]),
    ],
)
def test_line_ends(data: bytes, expected: list[str]) -> None:
    assert read(data) == expected


@given(st.lists(st.text(st.characters(blacklist_characters="\r\n\0", blacklist_categories=["Cs"]))))
def test_line_feeds_divide(texts: list[str]) -> None:
    data = "".join(f"{text}\n" for text in texts).removeprefix("\ufeff").encode()
    assert [text.removeprefix("\ufeff") for text in read(data)] == [
        text.removeprefix("\ufeff") for text in texts
    ]


def test_long_lines_are_cut() -> None:
    assert read(b"abcdef\nab\nabcdefgh", longest=4) == ["abcd", "ab", "abcd"]


@pytest.mark.parametrize("size", [0, 1, 7])
def test_lines_behind_the_sample(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "_SAMPLE", size + 3)
    assert read(b"one\ntwo is longer\nthree\r\n\nfive") == [
        "one",
        "two is longer",
        "three",
        "",
        "five",
    ]


Convert = Callable[[bytes], bytes]
COMPRESSIONS: dict[str, tuple[Convert, Convert]] = {
    "": (bytes, bytes),
    ".gz": (gzip.compress, gzip.decompress),
    ".GZ": (gzip.compress, gzip.decompress),
    ".bz2": (bz2.compress, bz2.decompress),
    ".xz": (lzma.compress, lzma.decompress),
    ".zst": (
        zstandard.compress,
        lambda data: zstandard.ZstdDecompressor().stream_reader(data).read(),
    ),
}


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_a_new_file_is_compressed_as_its_name_says(ending: str, tmp_path: Path) -> None:
    _, decompress = COMPRESSIONS[ending]
    first, second = (tmp_path / name / f"x.txt{ending}" for name in ("one", "two"))
    for path in (first, second):
        atomic.write_text(path, "Ça va.\nOui.\n" * 1_000)
    assert decompress(first.read_bytes()) == "Ça va.\nOui.\n".encode() * 1_000
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_compressed(ending: str, tmp_path: Path) -> None:
    compress, _ = COMPRESSIONS[ending]
    path = tmp_path / f"x.txt{ending}"
    path.write_bytes(compress("Ça va.\r\nOui.\n".encode() * 1_000))
    assert list(received.lines(path)) == ["Ça va.", "Oui."] * 1_000


FRENCH = "Le garçon était déjà arrivé à l'école.\nIl pleuvait.\nLa forêt était très près.\n"


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252", "mac_roman"]
)
def test_other_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(
        EncodingError,
        match=r"x\.txt is .*; expected UTF-8|x\.txt is not UTF-8 \(bad lines: 2, the first is line 1\)",
    ):
        read(FRENCH.encode(encoding))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["It rained.\n", "Шёл дождь.\n", "雨が降った。\n"])
def test_utf_32_is_named(text: str, encoding: str) -> None:
    with pytest.raises(EncodingError, match="is UTF-32; .* iconv -f UTF-32 "):
        read(text.encode(encoding))


def test_damaged_lines_among_others_are_read() -> None:
    data = FRENCH.encode() + b"caf\xe9\n"
    assert read(data)[-1] == "caf\udce9"
    assert read(data, errors="replace")[-1] == "caf\ufffd"


def test_a_reader_may_accept_another_encoding() -> None:
    assert read(b"caf\xe9\n", refuses=False, errors="replace") == ["caf\ufffd"]


@pytest.mark.parametrize("start", [b"", b"a\tb\n" * 9])
def test_a_block_of_nuls_is_no_encoding(start: bytes) -> None:
    with pytest.raises(EncodingError, match="block of NUL bytes"):
        [*text_files.lines(io.BytesIO(start + bytes(5_000)), "a.tsv")]
