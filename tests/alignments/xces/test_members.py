import random
import struct
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignments.xces import members as module
from alignments.xces.members import DAMAGES, Members

WORDS = b"the rain stopped so we left and walked home late "


def _zip(folder: Path, content: bytes, method: int = zipfile.ZIP_DEFLATED, extra: bytes = b"") -> Path:
    path = folder / "en.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("first.xml", b"something before")
        info = zipfile.ZipInfo("Tiny/raw/en/é.xml")
        info.compress_type, info.extra = method, extra
        archive.writestr(info, content)
    return path


def _read(path: Path, name: str = "Tiny/raw/en/é.xml") -> bytes:
    with closing(Members(path)) as members:
        return b"".join(members.chunks(members.by_name[name]))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("size", [0, 1, 1_000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 700_000])
def test_a_member_comes_out_whole_whatever_its_method_and_size(tmp_path: Path, method: int, size: int) -> None:
    content = random.Random(size).randbytes(size // 2) + WORDS * (size // 40)
    content = content[:size]
    assert _read(_zip(tmp_path, content, method)) == content


@given(content=st.binary(max_size=300), chunk=st.integers(1, 100), spare=st.integers(0, 80), extra=st.integers(0, 60))
def test_pieces_of_any_size_make_the_same_member(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, chunk: int, spare: int, extra: int
) -> None:
    path = _zip(tmp_path_factory.mktemp("zip"), content, extra=struct.pack("<HH", 0x9999, extra) + b"x" * extra)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", chunk)
        patch.setattr(module, "_SPARE", spare)
        assert _read(path) == content


def test_a_member_comes_in_small_pieces(tmp_path: Path) -> None:
    with closing(Members(_zip(tmp_path, b"a" * 5_000_000))) as members:
        assert max(map(len, members.chunks(members.by_name["Tiny/raw/en/é.xml"]))) <= 1 << 18


@pytest.mark.parametrize("size", [1_000, 600_000])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_any_changed_byte_of_a_member_is_seen(tmp_path: Path, method: int, size: int) -> None:
    content = random.Random(1).randbytes(size)
    path = _zip(tmp_path, content, method)
    whole = path.read_bytes()
    start = whole.index("é.xml".encode()) + 6
    for at in range(start, start + size, size // 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with pytest.raises(DAMAGES):
            _read(path)


def _directory_says(path: Path, offset: int, value: int) -> None:
    """Overwrite four bytes of the last entry of the directory."""
    whole = bytearray(path.read_bytes())
    at = whole.rindex(b"PK\1\2") + offset
    whole[at : at + 4] = struct.pack("<I", value)
    path.write_bytes(whole)


@pytest.mark.parametrize("size", [1_000, 600_000])
@pytest.mark.parametrize("wrong", [-1, 1, -900, 10_000])
def test_a_member_of_another_size_than_the_directory_says_is_damaged(tmp_path: Path, size: int, wrong: int) -> None:
    path = _zip(tmp_path, (WORDS * 20_000)[:size])
    _directory_says(path, 24, size + wrong)
    with pytest.raises(zipfile.BadZipFile, match=r"Bad CRC-32 or size of member 'Tiny/raw/en/é\.xml'"):
        _read(path)


@pytest.mark.parametrize("size", [1_000, 600_000])
def test_a_member_that_goes_on_behind_its_size_is_damaged_even_if_the_beginning_is_sound(
    tmp_path: Path, size: int
) -> None:
    content = (WORDS * 20_000)[:size]
    path = _zip(tmp_path, content + b"more")
    _directory_says(path, 24, size)
    _directory_says(path, 16, zlib.crc32(content))
    with pytest.raises(zipfile.BadZipFile, match="size"):
        _read(path)


def test_a_small_member_that_inflates_to_very_much_is_stopped(tmp_path: Path) -> None:
    path = _zip(tmp_path, b"a" * 50_000_000)
    _directory_says(path, 24, 1_000)
    with closing(Members(path)) as members, pytest.raises(zipfile.BadZipFile, match="size"):
        list(members.chunks(members.by_name["Tiny/raw/en/é.xml"]))


def test_compressed_bytes_without_an_end_are_damage(tmp_path: Path) -> None:
    path = _zip(tmp_path, random.Random(1).randbytes(600_000))
    _directory_says(path, 20, 300_000)
    with pytest.raises(EOFError, match="has no end"):
        _read(path)


@pytest.mark.parametrize(
    ("offset", "fault"), [(3, "Bad magic number before member"), (1 << 20, "ends before the member")]
)
def test_an_entry_that_leads_elsewhere_is_damage(tmp_path: Path, offset: int, fault: str) -> None:
    path = _zip(tmp_path, b"content")
    with closing(Members(path)) as members:
        member = members.by_name["Tiny/raw/en/é.xml"]._replace(at=offset)
        with pytest.raises(DAMAGES, match=fault):
            list(members.chunks(member))


def test_a_member_longer_than_the_archive_is_damage(tmp_path: Path) -> None:
    with closing(Members(_zip(tmp_path, b"content", zipfile.ZIP_STORED))) as members:
        member = members.by_name["Tiny/raw/en/é.xml"]._replace(packed=10_000, size=10_000)
        with pytest.raises(EOFError, match="ends within the member"):
            list(members.chunks(member))


def _encrypted(path: Path) -> None:
    """Set the flag of an encrypted member in the last entry of the directory."""
    whole = bytearray(path.read_bytes())
    whole[whole.rindex(b"PK\1\2") + 8] |= 1
    path.write_bytes(whole)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path, b"content")
    _encrypted(path)
    with closing(Members(path)) as members, pytest.raises(RuntimeError, match=r"encrypted|password"):
        list(members.chunks(members.by_name["Tiny/raw/en/é.xml"]))


def test_a_closed_archive_says_so(tmp_path: Path) -> None:
    members = Members(_zip(tmp_path, b"content"))
    members.close()
    with pytest.raises(EOFError, match="the archive is closed"):
        list(members.chunks(members.by_name["first.xml"]))


def _plain(path: Path, names: list[str], before: bytes = b"", comment: bytes = b"") -> None:
    with path.open("wb") as file:
        file.write(before)
        with zipfile.ZipFile(file, "w") as archive:
            archive.comment = comment
            for name in names:
                archive.writestr(name, name.encode("ascii", "ignore") * 3)


def _wide(path: Path, _names: list[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in _names:
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(name.encode() * 3)


def _wide_directory(path: Path, names: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zipfile, "ZIP64_LIMIT", 10)
        _plain(path, names)


def _western(path: Path, names: list[str]) -> None:
    """Names in cp437, without the flag that says UTF-8."""
    _plain(path, names)
    whole = bytearray(path.read_bytes().replace("é".encode(), b"\x82\x82"))
    for at in range(len(whole)):
        if bytes(whole[at : at + 4]) in {b"PK\1\2", b"PK\3\4"}:
            whole[at + (9 if whole[at + 2] == 1 else 7)] &= ~0x08
    path.write_bytes(whole)


DIRECTORIES = {
    "plain": _plain,
    "with a comment": lambda path, names: _plain(path, names, comment=b"made by hand"),
    "behind other bytes": lambda path, names: _plain(path, names, before=b"#!/bin/sh\n"),
    "with members as for ZIP64": _wide,
    "with numbers in ZIP64 fields": _wide_directory,
    "with names in cp437": _western,
}


@pytest.mark.parametrize("kind", DIRECTORIES)
def test_each_kind_of_directory_gives_what_zipfile_gives(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "en.zip"
    DIRECTORIES[kind](path, [f"Tiny/raw/en/é{number}.xml" for number in range(20)])
    with zipfile.ZipFile(path) as archive, closing(Members(path)) as members:
        assert list(members.by_name) == archive.namelist()
        for name, info in archive.NameToInfo.items():
            member = members.by_name[name]
            assert (member.at, member.packed, member.size) == (info.header_offset, info.compress_size, info.file_size)
            assert b"".join(members.chunks(member)) == archive.read(name)


def test_of_members_with_one_name_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "en.zip"
    with pytest.warns(UserWarning, match="Duplicate name"):
        _plain(path, ["a", "b", "a"])
    with zipfile.ZipFile(path) as archive, closing(Members(path)) as members:
        assert members.by_name["a"].at == archive.getinfo("a").header_offset > members.by_name["b"].at


def test_a_directory_that_ends_within_an_entry_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path, b"content")
    whole = bytearray(path.read_bytes())
    whole[whole.rindex(b"PK\1\2")] ^= 1
    path.write_bytes(whole)
    with pytest.raises(zipfile.BadZipFile, match="Bad magic number for central directory"):
        Members(path)


def test_unusual_members_cost_one_more_look_at_the_directory_however_many_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = tmp_path / "en.zip", []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        for number in range(20):
            archive.writestr(f"{number}.xml", f"document {number}")

    class Counted(zipfile.ZipFile):
        def __init__(self, *arguments: object) -> None:
            opened.append(arguments)
            super().__init__(*arguments)

    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    with closing(Members(path)) as members:
        read = [b"".join(members.chunks(member)) for member in members.by_name.values()]
    assert read == [f"document {number}".encode() for number in range(20)]
    assert len(opened) == 1
