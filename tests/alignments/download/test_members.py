"""Downloads of some members of a zip: which ones, when not, resumed, changed; and the directories of such zips."""

import gzip
import io
import logging
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden
from served import until
from web import etag

from bitext_pivot.alignments.download import members
from bitext_pivot.alignments.download.members import Member, compact, read_directory
from bitext_pivot.alignments.download.responses import Extent
from bitext_pivot.alignments.opus import downloaded, fetch, place
from bitext_pivot.alignments.release import Archives, Release
from bitext_pivot.core.errors import DamagedError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.atomic import read_manifest, sha256

ROOT = Path(__file__).parents[3]
RELEASE = Release("Tiny", "v1", "en", "fr")
LINKS, EN, FR = RELEASE.files
NEEDED = ["a.xml", "b.xml", "m.xml"]
SCRIPT = """
import sys
from bitext_pivot.alignments.download import members
from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.site import Site
members._SMALL = members._GAP = 0
fetch(Release("Tiny", "v1", "en", "fr"), Site(opus=sys.argv[1], home=sys.argv[2]))
"""
Fetch = Callable[..., Archives]
Logs = pytest.LogCaptureFixture


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small zips are not downloaded whole, and members are not merged."""
    monkeypatch.setattr(members, "_SMALL", 0)
    monkeypatch.setattr(members, "_GAP", 0)


def document(name: str) -> str:
    """Return a document with a sentence that does not compress."""
    noise = random.Random(name).randbytes(3_000).hex()
    return f'<text><s id="1">{name}</s><s id="2">{noise}</s></text>'


def links(documents: list[str], shape: str = "1;1 2") -> str:
    return "".join(
        f'<linkGrp fromDoc="en/{name}.gz" toDoc="fr/{name}.gz"><link xtargets="{shape}"/></linkGrp>\n'
        for name in documents
    )


def write_links(base: Path, body: str) -> None:
    (base / LINKS).parent.mkdir(parents=True, exist_ok=True)
    (base / LINKS).write_bytes(
        gzip.compress(f'<cesAlign version="1.0">\n{body}</cesAlign>\n'.encode(), mtime=0)
    )


def write_zip(path: Path, documents: list[str], folder: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README", "none")
        for name in documents:
            archive.writestr(f"{folder}/{name}", document(name))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A release whose English zip has 300 documents, three in links 1-2 with French, whose zip has only these."""
    base = tmp_path / "base"
    others = [f"d{number:03}.xml" for number in range(297)]
    write_links(base, links(NEEDED) + links(others[:20], "1;1") + links(["x.xml"], ";1"))
    write_zip(base / EN, ["a.xml", "b.xml", *others[:150], "m.xml", *others[150:]], "Tiny/raw/en")
    write_zip(base / FR, NEEDED, "Tiny/raw/fr")
    return base


@pytest.fixture
def bring(mirror: Any, tmp_path: Path, base: Path, caplog: Logs) -> Fetch:
    """Fetch the release, `whole` or not."""
    caplog.set_level(logging.INFO)

    def run(*, whole: bool = False) -> Archives:
        site = Site(opus=mirror.base, home=tmp_path)
        return fetch(RELEASE, site, whole=whole, log=logging.getLogger("test"))

    return run


def contents(file: Path | io.BytesIO) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def has_members(archives: Archives, names: list[str] = NEEDED) -> bool:
    path = archives.sentences("en")
    manifest = read_manifest(path)
    assert (manifest["sha256"], manifest["bytes"]) == (sha256(path), path.stat().st_size)
    return contents(path) == {f"Tiny/raw/en/{name}": document(name).encode() for name in names}


def parts(mirror: Any) -> list[tuple[int, int]]:
    return [(start, end) for name, start, end in mirror.parts if name == EN]


def test_only_needed_members_are_downloaded(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path, caplog: Logs
) -> None:
    archives = bring()
    path = archives.sentences("en")
    assert path == tmp_path / "opus" / "Tiny" / "v1" / "raw" / "of-en-fr" / "en.zip"
    assert has_members(archives)
    size = (base / EN).stat().st_size
    with zipfile.ZipFile(base / EN) as archive:
        start = {
            info.filename.rpartition("/")[2]: info.header_offset for info in archive.infolist()
        }
        directory = archive.start_dir
    assert parts(mirror)[2:] == [
        (directory, size - 22),
        (start["a.xml"], start["d000.xml"]),
        (start["m.xml"], start["d150.xml"]),
    ]
    assert mirror.sent[EN] < size / 3
    manifest = read_manifest(path)
    assert (manifest["whole"], manifest["members"]) == (size, 3)
    assert 0 <= mirror.sent[EN] - manifest["fetched"] < 100
    assert manifest["url"] == f"{mirror.base}/{EN}"
    assert manifest["etag"] == etag((base / EN).read_bytes())
    (line,) = (message for message in caplog.messages if "members" in message)
    assert line.endswith(f"MB/s, 3 of the 301 members of {size / 1e6:.1f} MB")


@pytest.mark.parametrize(
    ("fault", "share", "reason"),
    [
        ("", 0.01, "bytes are needed"),
        ("", 0, None),
        ("norange", 0.6, "the server sends no parts of files"),
        ("nohead", 0.6, "the server does not send its size and version"),
        ("novalidator", 0.6, "the server does not send its size and version"),
        ("weak", 0.6, "the server does not send its size and version"),
        ("chunked", 0.6, "the server does not send its size and version"),
        ("no zip", 0.6, "it cannot be read as a zip"),
        ("other names", 0.6, "none of the documents that the links name is in its directory"),
        ("small", 0.6, "it is small"),
    ],
)
def test_zips_that_are_downloaded_whole(
    bring: Fetch, mirror: Any, base: Path, caplog: Logs, monkeypatch: pytest.MonkeyPatch,
    fault: str, share: float, reason: str | None,
) -> None:  # fmt: skip
    if fault == "no zip":
        (base / EN).write_bytes((base / EN).read_bytes()[:-10])
        with pytest.raises(
            DamagedError, match=r"en\.zip is no zip of OPUS documents \(File is not a zip file\)"
        ):
            bring()
        return
    elif fault == "other names":
        write_zip(base / EN, [f"z{number}.xml" for number in range(200)], "Tiny/raw/en")
    elif fault == "small":
        monkeypatch.setattr(members, "_SMALL", 16 << 20)
    else:
        mirror.faults[EN] = fault
    monkeypatch.setattr(members, "_SHARE", share)
    assert bring(whole=not share).sentences("en").read_bytes() == (base / EN).read_bytes()
    reasons = [line for line in caplog.messages if line.startswith("en.zip is fetched whole: ")]
    assert len(reasons) == (reason is not None)
    assert all(str(reason) in line for line in reasons)


@pytest.mark.parametrize(("documents", "shape", "expected"), [
    ([*NEEDED, "nowhere.xml"], "1;1 2", NEEDED),
    (NEEDED, "1;1", []),
])  # fmt: skip
def test_documents_that_are_missing_or_not_needed(
    bring: Fetch, base: Path, documents: list[str], shape: str, expected: list[str]
) -> None:
    write_links(base, links(documents, shape))
    assert has_members(bring(), expected)


@pytest.mark.parametrize("folder", ["Tiny/raw/en", "else/en", "en"])
def test_members_under_other_folders(bring: Fetch, base: Path, folder: str) -> None:
    write_zip(base / EN, [*(f"d{number}.xml" for number in range(200)), *NEEDED], folder)
    assert sorted(contents(bring().sentences("en"))) == [f"{folder}/{name}" for name in NEEDED]


def test_the_identity_of_a_corpus_ignores_the_download(
    bring: Fetch, base: Path, tmp_path: Path
) -> None:
    archives = bring()
    whole = fetch(RELEASE, Site(opus=str(base), home=tmp_path / "none"))
    assert archives.identity == whole.identity
    assert [downloaded(RELEASE, name, tmp_path / "opus") for name in RELEASE.files] == list(
        archives.paths.values()
    )
    assert downloaded(RELEASE, EN, tmp_path / "none" / "opus") is None


def test_other_links_replace_the_members(bring: Fetch, base: Path) -> None:
    archives = bring()
    write_links(base, links([*NEEDED, "d100.xml"]))
    archives.links.unlink()
    assert has_members(bring(), ["a.xml", "b.xml", "d100.xml", "m.xml"])


def test_another_pair_has_its_own_members(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path
) -> None:
    first = bring()
    other = Release("Tiny", "v1", "de", "en")
    body = links(["d007.xml"]).replace("en/", "de/").replace("fr/", "en/")
    (base / other.links).write_bytes(gzip.compress(body.encode()))
    write_zip(base / other.sentences("de"), ["d007.xml"], "Tiny/raw/de")
    second = fetch(other, Site(opus=mirror.base, home=tmp_path))
    assert second.sentences("en").parent.name == "of-de-en"
    assert list(contents(second.sentences("en"))) == ["Tiny/raw/en/d007.xml"]
    assert has_members(first)


@pytest.mark.parametrize("harm", ["shorter", "no manifest", "gone"])
def test_damaged_members_are_downloaded_again(bring: Fetch, harm: str) -> None:
    path = bring().sentences("en")
    harms: dict[str, Callable[[], object]] = {
        "shorter": lambda: path.write_bytes(path.read_bytes()[:-1]),
        "no manifest": path.with_name("en.zip.json").unlink,
        "gone": path.unlink,
    }
    harms[harm]()
    assert has_members(bring())


def test_a_cut_within_a_member_is_resumed(bring: Fetch, mirror: Any) -> None:
    mirror.faults[EN] = ["", "", "", "cut", "503"]
    assert has_members(bring())
    (start, end), (again, same), _ = parts(mirror)[3:]
    assert (again, same) == ((start + end) // 2, end)


def test_a_zip_that_changes_begins_again_with_its_directory(
    bring: Fetch, mirror: Any, base: Path
) -> None:
    mirror.faults[EN] = ["", "", "", "changing"]
    archives = bring()
    assert read_manifest(archives.sentences("en"))["etag"] == etag((base / EN).read_bytes())
    assert has_members(archives)


def test_a_damaged_link_file_is_named(bring: Fetch, base: Path) -> None:
    (base / LINKS).write_bytes((base / LINKS).read_bytes()[:-20])
    with pytest.raises(
        SourceError, match=r"en-fr\.xml\.gz is damaged or cannot be read .*Compressed file ended"
    ):
        bring()


def make_zip(
    files: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED, wide: bool = False
) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            with archive.open(name, "w", force_zip64=wide) as member:
                member.write(content)
    return file.getvalue()


def read_entries(data: bytes) -> list[Member]:
    return read_directory(len(data), lambda extent: data[extent.start : extent.end])[0]


@st.composite
def zips(draw: st.DrawFn) -> tuple[dict[str, bytes], bytes]:
    names = st.text(st.sampled_from("abé/_.ﬂ"), min_size=1, max_size=8)
    files = draw(st.dictionaries(names, st.binary(max_size=60), max_size=8))
    method = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    return files, make_zip(files, method=method, wide=draw(st.booleans()))


@given(zips(), st.sampled_from([0, 100]), st.randoms(use_true_random=False))
def test_selected_members_make_a_zip(
    example: tuple[dict[str, bytes], bytes], gap: int, chance: random.Random
) -> None:
    files, data = example
    entries = read_entries(data)
    assert [entry.info.filename for entry in entries] == list(files)
    selected = [entry for entry in entries if chance.random() < 0.5]
    with patch.object(members, "_GAP", gap):
        extents, tail = compact(selected)
    assert all(after.start - before.end > gap for before, after in pairwise(extents))
    copy = b"".join(data[extent.start : extent.end] for extent in extents) + tail
    assert contents(io.BytesIO(copy)) == {e.info.filename: files[e.info.filename] for e in selected}


def test_members_beyond_four_gigabytes() -> None:
    infos = zipfile.ZipInfo("a.xml"), zipfile.ZipInfo("b.xml")
    for info in infos:
        info.CRC = 0
    extents, tail = compact(
        [Member(infos[0], Extent(0, 5 << 30)), Member(infos[1], Extent(6 << 30, (6 << 30) + 40))]
    )
    assert extents == [Extent(0, 5 << 30), Extent(6 << 30, (6 << 30) + 40)]
    hole = (5 << 30) + 40
    entries, end = read_directory(
        hole + len(tail), lambda extent: tail[extent.start - hole : extent.end - hole]
    )
    assert end == hole
    assert [tuple(entry.extent) for entry in entries] == [(0, 5 << 30), (5 << 30, hole)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a zip",
        make_zip({"a": b"a"})[:-30],
        make_zip({"a": b"a"})[40:-4],
        make_zip({f"{number:05}.xml": b"x" for number in range(3_000)}),
        make_zip({"é.xml": b"a"}).replace("é".encode(), b"\x82 ").replace(b"\x00\x08", b"\x00\x00"),
    ],
)
def test_directories_that_are_refused(
    data: bytes, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr(members, "_LARGEST_DIRECTORY", 100_000)
    with golden.refused(zipfile.BadZipFile):
        read_entries(data)


def test_a_killed_process_is_resumed(bring: Fetch, mirror: Any, tmp_path: Path) -> None:
    mirror.faults[EN] = ["", "", "", "", "gated"]
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, mirror.base, str(tmp_path)], cwd=ROOT)
    part = place(RELEASE, EN, tmp_path / "opus").parent / "of-en-fr" / "en.zip.part"

    def is_cut() -> bool:
        if len(parts(mirror)) < 5 or not part.exists():
            return False
        (first, second), (start, end) = parts(mirror)[3:5]
        return part.stat().st_size == second - first + (end - start) // 2

    until(is_cut, pause=0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    start, end = parts(mirror)[4]
    mirror.parts.clear()
    assert has_members(bring())
    assert parts(mirror)[3:] == [(start + (end - start) // 2, end)]
