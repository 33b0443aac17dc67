"""Zips with a damaged directory are refused, and what macOS adds to a zip is not seen."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from bitext_pivot.alignments import zips
from bitext_pivot.alignments.release import DAMAGE_ERRORS, Release
from bitext_pivot.alignments.texts.lines import read_zip
from bitext_pivot.alignments.xces.sentences import SentenceArchive
from bitext_pivot.core.errors import SourceError

RELEASE = Release("Tiny", "v1", "en", "fr", "moses")
LINES = {
    "Tiny.en-fr.en": "It rained.\nWe left.\n",
    "Tiny.en-fr.fr": "Il pleuvait.\nNous partîmes.\n",
    "Tiny.en-fr.ids": "en/a.xml\tfr/a.xml\t1\t1\nen/a.xml\tfr/a.xml\t2\t2\n",
    "Tiny.en-fr.scores": "1.5\n1.25\n",
    "README": "A small corpus.\n",
}
MACOS = {
    "__MACOSX/": "",
    "__MACOSX/._Tiny.en-fr.en": "\0\5\26\7",
    "__MACOSX/sub/._Tiny.en-fr.fr": "\0\5\26\7",
    "._Tiny.en-fr.ids": "\0\5\26\7",
    ".DS_Store": "\0\0\0\1Bud1",
    "sub/.DS_Store": "\0\0\0\1Bud1",
}


def written(path: Path, members: Mapping[str, str], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_what_macos_adds_is_ignored(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mac.zip",
        MACOS | {f"folder/{name}": text for name, text in LINES.items()} | MACOS,
    )
    plain = written(tmp_path / "plain.zip", LINES)
    assert list(read_zip(path, RELEASE)) == list(read_zip(plain, RELEASE))
    documents = {
        "Tiny/raw/en/a.xml": '<document><s id="1">It rained.</s></document>',
        "__MACOSX/Tiny/raw/en/._a.xml": "\0\5\26\7",
        "__MACOSX/Tiny/raw/en/b.xml": "\0\5\26\7",
        "Tiny/raw/en/._a.xml": "\0\5\26\7",
        "Tiny/raw/en/.DS_Store": "\0\0\0\1Bud1",
    }
    archive = SentenceArchive(written(tmp_path / "en.zip", documents), "Tiny")
    assert archive.documents() == ["en/a.xml"]
    assert archive.read("en/a.xml", None) == {"1": "It rained."}
    archive.close()


@pytest.mark.parametrize(
    ("compression", "comment"),
    [
        (zipfile.ZIP_DEFLATED, b""),
        pytest.param(zipfile.ZIP_STORED, b"Made by hand.", marks=pytest.mark.nightly),
    ],
)
def test_no_flipped_bit_of_a_directory_loses_lines_ids_or_scores(
    tmp_path: Path, compression: int, comment: bytes
) -> None:
    path = written(tmp_path / "lines.zip", LINES, compression=compression)
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = comment
    expected = list(read_zip(path, RELEASE))
    content = path.read_bytes()
    refused = 0
    for place in range(content.index(b"PK\1\2"), len(content)):
        for bit in range(8):
            path.write_bytes(
                content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
            )
            try:
                segments = list(read_zip(path, RELEASE))
            except SourceError:
                refused += 1
            else:
                assert segments == expected, f"bit {bit} of byte {place}"
    assert refused > 1_000


@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\n"])
@pytest.mark.parametrize("after", [b"", b"\0" * 7, b"PK"])
def test_sound_zips_open(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = written(tmp_path / "lines.zip", LINES)
    path.write_bytes(before + path.read_bytes() + after)
    with zips.open_zip(path) as archive:
        zips.check_member_names(archive, archive.infolist())
        assert [info.filename for info in zips.list_members(archive)] == [*LINES]


@pytest.mark.parametrize(
    "number",
    [0, 1, *(pytest.param(many, marks=pytest.mark.nightly) for many in (65_534, 65_535, 65_536))],
)
def test_any_number_of_members(tmp_path: Path, number: int) -> None:
    path = written(tmp_path / "many.zip", {f"{n}": "" for n in range(number)})
    with zips.open_zip(path) as archive:
        assert len(zips.list_members(archive)) == number


def test_a_member_fewer_than_the_directory_says(tmp_path: Path) -> None:
    path = written(tmp_path / "lines.zip", LINES)
    content = path.read_bytes()
    end = content.rindex(b"PK\5\6")
    path.write_bytes(content[: end + 8] + b"\6\0\6\0" + content[end + 12 :])
    with pytest.raises(zipfile.BadZipFile, match="its directory has 5 members, expected 6"):
        zips.open_zip(path)
    with pytest.raises(DAMAGE_ERRORS):
        zips.open_zip(tmp_path / "none.zip")


def test_no_flipped_bit_of_a_name_loses_a_document(tmp_path: Path) -> None:
    text = "<document><s id='1'>It rained.</s></document>"
    path = written(tmp_path / "en.zip", {"Tiny/raw/en/a.xml": text, "README": "A small corpus."})
    content = path.read_bytes()
    start = content.index(b"Tiny/raw/en/a.xml", content.index(b"PK\1\2"))
    for place in range(start, start + len("Tiny/raw/en/a.xml")):
        for bit in range(8):
            path.write_bytes(
                content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
            )
            with pytest.raises(SourceError):
                archive = SentenceArchive(path, "Tiny")
                for document in archive.documents():
                    archive.read(document, None)
