import io
import random
import zipfile
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignments.download import directory
from alignments.download.answers import Extent
from alignments.download.directory import TAIL, Entry, compact, entries, joined

NAMES = st.text(st.sampled_from("abé/_.ﬂ"), min_size=1, max_size=8)


def _zip(members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED, wide: bool = False) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=wide) as member:
                member.write(content)
    return file.getvalue()


def _read(data: bytes) -> list[Entry]:
    return entries(len(data), lambda extent: data[extent.start : extent.end])


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
    st.randoms(use_true_random=False),
)
def test_an_excerpt_is_a_zip_of_some_members_and_nothing_else(
    members: dict[str, bytes], method: int, wide: bool, chance: random.Random
) -> None:
    data = _zip(members, method=method, wide=wide)
    found = _read(data)
    assert [entry.info.filename for entry in found] == list(members)
    chosen = [entry for entry in found if chance.random() < 0.5]
    assert _contents(_excerpt(data, chosen)) == [(e.info.filename, members[e.info.filename]) for e in chosen]


def test_a_directory_beyond_the_tail_is_read_with_one_more_request() -> None:
    data = _zip({f"{number:05}.xml": b"x" for number in range(3_000)})
    asked: list[Extent] = []
    found = entries(len(data), lambda extent: asked.append(extent) or data[extent.start : extent.end])
    start = found[-1].extent.end
    assert asked == [Extent(len(data) - TAIL, len(data)), Extent(start, len(data) - TAIL)]
    assert len(_contents(_excerpt(data, found[5:2_000:7]))) == 285


def _entry(name: str, start: int, end: int) -> Entry:
    info = zipfile.ZipInfo(name)
    info.CRC = 0
    return Entry(info, Extent(start, end))


def test_members_beyond_four_gigabytes_keep_their_place() -> None:
    tail = compact([_entry("a.xml", 0, 5 << 30), _entry("b.xml", 6 << 30, (6 << 30) + 40)])
    hole = (5 << 30) + 40
    data = bytes(TAIL) + tail
    found = entries(hole + len(tail), lambda extent: data[extent.start - hole + TAIL : extent.end - hole + TAIL])
    assert [(entry.info.filename, entry.extent) for entry in found] == [
        ("a.xml", Extent(0, 5 << 30)),
        ("b.xml", Extent(5 << 30, hole)),
    ]


@pytest.mark.parametrize("data", [b"", b"not a zip", _zip({"a": b"a"})[:-30], _zip({"a": b"a"})[40:-4]])
def test_what_is_no_zip_is_refused(data: bytes) -> None:
    with pytest.raises(zipfile.BadZipFile):
        _read(data)


def test_a_directory_larger_than_memory_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "_LARGEST", 1_000)
    with pytest.raises(zipfile.BadZipFile, match="its directory would have"):
        _read(_zip({f"{number:05}.xml": b"x" for number in range(3_000)}))


def test_names_in_an_unknown_encoding_are_refused() -> None:
    data = _zip({"é.xml": b"a"}).replace("é".encode(), b"\x82 ").replace(b"\x00\x08", b"\x00\x00")
    with pytest.raises(zipfile.BadZipFile, match="unknown encoding"):
        _read(data)
