"""Downloads of some members of a zip: which ones, when not, cut off, changed."""

import gzip
import logging
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web import etag

from bitext_pivot.alignments.download import members
from bitext_pivot.alignments.opus import fetch, find_download
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.core.errors import DamagedError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.atomic import read_manifest, sha256

RELEASE = Release("Tiny", "v1", "en", "fr")
LINKS, EN, FR = RELEASE.files
BLOCK = 2_000
NEEDED = ["a.xml", "b.xml", "m.xml"]
Fetch = Callable[..., ReleaseFiles]
Logs = pytest.LogCaptureFixture


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small zips are not downloaded whole, and a request is for few bytes."""
    monkeypatch.setattr(members, "_SMALL", 0)
    monkeypatch.setattr(members, "_BLOCK", BLOCK)


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

    def run(*, whole: bool = False) -> ReleaseFiles:
        site = Site(opus=mirror.base, home=tmp_path)
        return fetch(RELEASE, site, whole=whole, log=logging.getLogger("test"))

    return run


def contents(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def has_members(archives: ReleaseFiles, names: list[str] = NEEDED) -> bool:
    path = archives.sentences("en")
    manifest = read_manifest(path)
    assert (manifest["sha256"], manifest["bytes"]) == (sha256(path), path.stat().st_size)
    return contents(path) == {f"Tiny/raw/en/{name}": document(name).encode() for name in names}


def parts(mirror: Any) -> list[tuple[int, int]]:
    return [(start, end) for name, start, end in mirror.parts if name == EN]


def test_only_needed_members_are_downloaded(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path
) -> None:
    archives = bring()
    path = archives.sentences("en")
    assert path == tmp_path / "opus" / "Tiny" / "v1" / "raw" / "of-en-fr" / "en.zip"
    assert has_members(archives)
    size = (base / EN).stat().st_size
    assert all(start % BLOCK == 0 for start, _ in parts(mirror))
    assert mirror.sent[EN] < size / 3
    manifest = read_manifest(path)
    assert manifest["whole"] == size
    assert manifest["url"] == f"{mirror.base}/{EN}"
    assert manifest["etag"] == etag((base / EN).read_bytes())


@pytest.mark.parametrize(
    ("fault", "share", "reason"),
    [
        ("", 0.001, "bytes are needed"),
        ("", 0, None),
        ("norange", 0.6, "the server sends no parts of files"),
        ("nohead", 0.6, "the server does not send its size and version"),
        ("novalidator", 0.6, "the server does not send its size and version"),
        ("weak", 0.6, "the server does not send its size and version"),
        ("chunked", 0.6, "the server does not send its size and version"),
        ("no zip", 0.6, "it cannot be read as a zip"),
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
    if fault == "small":
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
    assert [find_download(RELEASE, name, tmp_path / "opus") for name in RELEASE.files] == list(
        archives.paths.values()
    )
    assert find_download(RELEASE, EN, tmp_path / "none" / "opus") is None


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


def test_a_request_that_is_cut_or_refused_is_sent_again(
    bring: Fetch, mirror: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.download.file.PAUSE", 0.0)
    mirror.faults[EN] = ["", "", "", "cut", "503"]
    assert has_members(bring())
    starts = [start for start, _ in parts(mirror)]
    assert len(starts) == len({*starts}) + 1


def test_a_zip_that_changes_is_refused(
    bring: Fetch, mirror: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.download.file.PAUSE", 0.0)
    mirror.faults[EN] = ["", "", "", "changing"]
    with pytest.raises(SourceError, match="is not the file it was a moment ago"):
        bring()
    assert has_members(bring())


def test_a_damaged_link_file_is_named(bring: Fetch, base: Path) -> None:
    (base / LINKS).write_bytes((base / LINKS).read_bytes()[:-20])
    with pytest.raises(
        SourceError, match=r"en-fr\.xml\.gz is damaged or cannot be read .*Compressed file ended"
    ):
        bring()
