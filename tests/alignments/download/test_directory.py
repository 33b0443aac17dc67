import io
import random
import struct
import zipfile
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignments.download import directory
from alignments.download.answers import Extent
from alignments.download.directory import TAIL, Entry, StrangeZipError, bounds, compact, entries, joined

NAMES = st.text(st.sampled_from("abé/_.ﬂ"), min_size=1, max_size=8)


def _zip(
    members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED, wide: bool = False, comment: bytes = b""
) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.comment = comment
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=wide) as member:
                member.write(content)
    return file.getvalue()


def _read(data: bytes) -> list[Entry]:
    found = bounds(data[-TAIL:], len(data))
    return entries(data[found.extent.start : found.extent.end], found)


def _excerpt(data: bytes, chosen: Sequence[Entry]) -> bytes:
    return b"".join(data[extent.start : extent.end] for extent in joined(chosen)) + compact(chosen)


def _contents(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return [(name, archive.read(name)) for name in archive.namelist()]


@given(
    st.dictionaries(NAMES, st.binary(max_size=60), max_size=8),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    st.booleans(),
    st.binary(max_size=20).filter(lambda text: b"PK" not in text),
    st.randoms(use_true_random=False),
)
def test_an_excerpt_is_a_zip_of_some_members_and_nothing_else(
    members: dict[str, bytes], method: int, wide: bool, comment: bytes, chance: random.Random
) -> None:
    data = _zip(members, method=method, wide=wide, comment=comment)
    found = _read(data)
    assert [entry.name for entry in found] == list(members)
    chosen = [entry for entry in found if chance.random() < 0.5]
    assert _contents(_excerpt(data, chosen)) == [(entry.name, members[entry.name]) for entry in chosen]


def _wide(data: bytes, *, everything: bool) -> bytes:
    """Rewrite the end of a zip as ZIP64 writers do: numbers in an extra field and in records before the end."""
    found = bounds(data[-TAIL:], len(data))
    records = b""
    for entry in sorted(_read(data), key=lambda entry: entry.place):
        fields = list(struct.unpack_from("<4s6H3L5H2L", entry.record))
        packed, plain, start = fields[8], fields[9], fields[16]
        extra = struct.pack("<2HQQQ", 1, 24, plain, packed, start) if everything else struct.pack("<2HQ", 1, 8, start)
        fields[16], fields[11] = 0xFFFF_FFFF, len(extra) + 4
        if everything:
            fields[8] = fields[9] = 0xFFFF_FFFF
        records += struct.pack("<4s6H3L5H2L", *fields) + entry.name.encode() + b"\x99\x99\0\0" + extra
    start, count = found.extent.start, found.members
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(records), start)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + len(records), 1)
    full = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF, 0)
    return data[:start] + records + end64 + locator + full


@pytest.mark.parametrize("everything", [True, False])
def test_a_directory_of_zip64_is_read_and_copied(everything: bool) -> None:
    members = {"c/raw/en/a.xml": b"A" * 900, "c/raw/en/b.xml": b"B" * 50, "c/raw/en/c.xml": b"C" * 700}
    data = _wide(_zip(members), everything=everything)
    assert _contents(data) == list(members.items())
    found = _read(data)
    assert [entry.at > 46 for entry in found] == [True] * 3
    assert _contents(_excerpt(data, found[1:])) == list(members.items())[1:]


def test_an_excerpt_with_many_members_gets_zip64_records_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _zip({"a": b"A", "b": b"B", "c": b"C"})
    few, many = _read(data)[1:], _read(data)
    monkeypatch.setattr(directory, "_MANY", 3)
    assert b"PK\6\6" not in compact(few)
    assert b"PK\6\6" in compact(many)
    assert _contents(_excerpt(data, many)) == [("a", b"A"), ("b", b"B"), ("c", b"C")]


def test_an_excerpt_of_more_than_four_gigabytes_gets_zip64_records(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _zip({"a": b"A" * 500, "b": b"B" * 500}, method=zipfile.ZIP_STORED)
    found = _read(data)
    monkeypatch.setattr(directory, "_FULL", 600)
    end = compact(found)
    assert b"PK\6\6" in end
    assert struct.unpack_from("<Q", end, end.index(b"PK\6\6") + 48) == (found[-1].extent.end,)


def test_the_order_of_the_directory_is_kept_though_the_bytes_lie_in_another() -> None:
    data = _zip({"a": b"A", "b": b"B", "c": b"C"})
    found = bounds(data[-TAIL:], len(data))
    records = [entry.record for entry in _read(data)]
    turned = data[: found.extent.start] + b"".join(reversed(records)) + data[found.extent.end :]
    read = _read(turned)
    assert [(entry.name, entry.place) for entry in read] == [("a", 2), ("b", 1), ("c", 0)]
    assert _contents(_excerpt(turned, read[1:])) == [("c", b"C"), ("b", b"B")]


def test_neighbours_are_one_extent() -> None:
    first, second, third = _read(_zip({"a": b"A", "b": b"B", "c": b"C"}))
    assert joined([first, second]) == [Extent(first.extent.start, second.extent.end)]
    assert joined([first, third]) == [first.extent, third.extent]


GOOD = _zip({"a": b"A" * 40, "b": b"B" * 40})
AT = GOOD.index(b"PK\1\2")
SECOND = GOOD.index(b"PK\1\2", AT + 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no end of a zip directory"),
        (b"<html>not here</html>", "no end of a zip directory"),
        (GOOD[:-4], "no end of a zip directory"),
        (GOOD + b"more", "bytes behind the end"),
        (b"junk" + GOOD, "does not end where its end begins"),
        (GOOD[:AT] + b"PK\1\1" + GOOD[AT + 4 :], "something else than entries"),
        (GOOD[: AT + 28] + b"\xff\xff" + GOOD[AT + 30 :], "something else than entries"),
        (GOOD[: AT + 20] + b"\xff" + GOOD[AT + 21 :], "'a' overlaps what follows it"),
        (GOOD[: SECOND + 42] + b"\0\0\0\0" + GOOD[SECOND + 46 :], "overlaps what follows it"),
        (GOOD[: AT + 42] + b"\xff\xff\xff\xff" + GOOD[AT + 46 :], "a ZIP64 entry without its numbers"),
        (GOOD[:-12] + b"\3\0" + GOOD[-10:], "2 entries in a zip directory of 3"),
        (_wide(GOOD, everything=True).replace(b"PK\6\6", b"PK\6\5"), "no ZIP64 record where the zip says"),
    ],
)
def test_a_strange_zip_is_left_alone(data: bytes, message: str) -> None:
    with pytest.raises(StrangeZipError, match=message):
        _read(data)
