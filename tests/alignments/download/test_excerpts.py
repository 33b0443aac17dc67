import gzip
import logging
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alignments.download.directory import TAIL
from alignments.opus import Transfer, fetch, here, place
from alignments.release import Archives, Release
from pairs.errors import SourceError
from pairs.storage.atomic import read_manifest, sha256

ROOT = Path(__file__).parents[3]
EN, FR = "OPUS-Tiny/v1/raw/en.zip", "OPUS-Tiny/v1/raw/fr.zip"
LINKS = "OPUS-Tiny/v1/xml/en-fr.xml.gz"
EAGER = Transfer(whole_below=0, gap=0, pause=0.001, attempts=3, timeout=0.5)
NEEDED = ["a.xml", "b.xml", "m.xml"]
SCRIPT = """
import logging, sys
from pathlib import Path
from alignments.opus import Transfer, fetch
from alignments.release import Release
release, transfer = Release("Tiny", "v1", "en", "fr"), Transfer(whole_below=0, gap=0)
fetch(release, sys.argv[1], Path(sys.argv[2]), transfer=transfer)
"""
Fetch = Callable[..., Archives]


def _document(name: str, size: int) -> str:
    """A document with one sentence that does not pack."""
    noise = random.Random(name).randbytes(size).hex()
    return f'<text><s id="1">{name}</s><s id="2">{noise}</s></text>'


def _links(documents: list[str], shape: str = "1;1 2") -> str:
    return "".join(
        f'<linkGrp fromDoc="en/{name}.gz" toDoc="fr/{name}.gz"><link xtargets="{shape}"/></linkGrp>\n'
        for name in documents
    )


def _write_links(base: Path, body: str) -> None:
    (base / LINKS).parent.mkdir(parents=True, exist_ok=True)
    (base / LINKS).write_bytes(gzip.compress(f'<cesAlign version="1.0">\n{body}</cesAlign>\n'.encode(), mtime=0))


def _write_zip(path: Path, documents: list[str], folder: str, size: int = 3_000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README", "none")
        for name in documents:
            archive.writestr(f"{folder}/{name}", _document(name, size))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A release whose English zip has 300 documents, three in links 1-2 with French, whose zip has only these."""
    base = tmp_path / "base"
    others = [f"d{number:03}.xml" for number in range(297)]
    _write_links(base, _links(NEEDED) + _links(others[:20], "1;1") + _links(["x.xml"], ";1"))
    _write_zip(base / EN, ["a.xml", "b.xml", *others[:150], "m.xml", *others[150:]], "Tiny/raw/en")
    _write_zip(base / FR, NEEDED, "Tiny/raw/fr")
    return base


@pytest.fixture
def bring(mirror: Any, tmp_path: Path, base: Path) -> Fetch:
    """Fetch the release; takes another transfer."""

    def run(transfer: Transfer = EAGER) -> Archives:
        release = Release("Tiny", "v1", "en", "fr")
        return fetch(release, mirror.base, tmp_path / "home", transfer=transfer, log=logging.getLogger("test"))

    return run


def _documents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def _is_excerpt(archives: Archives, names: list[str] = NEEDED) -> bool:
    path = archives.sentences("en")
    right = read_manifest(path)["sha256"] == sha256(path) and read_manifest(path)["bytes"] == path.stat().st_size
    return right and _documents(path) == {f"Tiny/raw/en/{name}": _document(name, 3_000) for name in names}


def test_of_a_large_zip_only_the_members_that_links_need_are_fetched(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    archives = bring()
    assert archives.sentences("en") == tmp_path / "home" / "Tiny" / "v1" / "raw" / "of-en-fr" / "en.zip"
    assert _is_excerpt(archives)
    size = (base / EN).stat().st_size
    with zipfile.ZipFile(base / EN) as archive:
        members = sorted(archive.infolist(), key=lambda member: member.header_offset)
    start = {member.filename.rpartition("/")[2]: member.header_offset for member in members}
    assert [part for part in mirror.parts if part[0] == EN] == [
        (EN, size - TAIL, size),
        (EN, start["a.xml"], start["d000.xml"]),
        (EN, start["m.xml"], start["d150.xml"]),
    ]
    fetched = sum(end - begin for name, begin, end in mirror.parts if name == EN)
    assert mirror.sent[EN] == fetched < size / 3
    told = read_manifest(archives.sentences("en"))
    assert (told["whole"], told["members"], told["fetched"], told["absent"]) == (size, 3, fetched, [])
    assert told["url"] == f"{mirror.base}/{EN}"
    assert told["etag"] == mirror._validators(base / EN, (base / EN).read_bytes(), [])["ETag"]
    (line,) = (message for message in caplog.messages if "members" in message)
    assert line.endswith(f"MB/s, 3 of the 301 members of {size / 1e6:.1f} MB")


def test_a_zip_of_which_most_is_needed_is_fetched_whole(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    archives = bring()
    assert archives.sentences("fr") == tmp_path / "home" / "Tiny" / "v1" / "raw" / "fr.zip"
    assert archives.sentences("fr").read_bytes() == (base / FR).read_bytes()
    size = (base / FR).stat().st_size
    assert any(
        line.startswith("fr.zip is fetched whole: ") and f"of its {size:,} bytes" in line for line in caplog.messages
    )


@pytest.mark.parametrize(
    ("transfer", "reason"),
    [
        (Transfer(), "it is small"),
        (Transfer(whole_below=0, share=0.01), "bytes are needed"),
        (Transfer(whole_below=0, share=0), None),
    ],
)
def test_the_settings_say_when_a_zip_is_fetched_whole(
    bring: Fetch, mirror: Any, base: Path, caplog: pytest.LogCaptureFixture, transfer: Transfer, reason: str | None
) -> None:
    caplog.set_level(logging.INFO)
    archives = bring(transfer)
    assert archives.sentences("en").read_bytes() == (base / EN).read_bytes()
    reasons = [line for line in caplog.messages if line.startswith("en.zip is fetched whole: ")]
    assert len(reasons) == (reason is not None)
    assert all(str(reason) in line for line in reasons)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("norange", "the server sends no parts of files"),
        ("nohead", "the server does not tell its size and version"),
        ("novalidator", "the server does not tell its size and version"),
        ("weak", "the server does not tell its size and version"),
        ("chunked", "the server does not tell its size and version"),
    ],
)
def test_what_a_server_cannot_do_is_done_without(
    bring: Fetch, mirror: Any, base: Path, caplog: pytest.LogCaptureFixture, fault: str, reason: str
) -> None:
    caplog.set_level(logging.INFO)
    mirror.faults[EN] = fault
    assert bring().sentences("en").read_bytes() == (base / EN).read_bytes()
    assert f"en.zip is fetched whole: {reason}" in caplog.messages


def test_a_zip_that_cannot_be_understood_is_fetched_whole(
    bring: Fetch, mirror: Any, base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    (base / EN).write_bytes((base / EN).read_bytes()[:-10])
    assert bring().sentences("en").read_bytes() == (base / EN).read_bytes()
    assert "en.zip is fetched whole: it cannot be read as a zip (File is not a zip file)" in caplog.messages


def test_a_zip_with_none_of_the_documents_is_fetched_whole(bring: Fetch, base: Path) -> None:
    _write_zip(base / EN, [f"z{number}.xml" for number in range(200)], "Tiny/raw/en")
    assert bring().sentences("en").read_bytes() == (base / EN).read_bytes()


def test_documents_that_the_zip_has_not_are_left_to_the_reader(bring: Fetch, base: Path) -> None:
    _write_links(base, _links([*NEEDED, "nowhere.xml"]))
    archives = bring()
    assert _is_excerpt(archives)
    assert read_manifest(archives.sentences("en"))["absent"] == ["en/nowhere.xml"]


def test_links_that_need_no_document_fetch_none(bring: Fetch, base: Path) -> None:
    _write_links(base, _links(NEEDED, "1;1"))
    archives = bring()
    assert _documents(archives.sentences("en")) == {}
    assert read_manifest(archives.sentences("en"))["members"] == 0


@pytest.mark.parametrize("folder", ["Tiny/raw/en", "else/en", "en"])
def test_members_are_found_under_any_leading_folders(bring: Fetch, base: Path, folder: str) -> None:
    _write_zip(base / EN, [*(f"d{number}.xml" for number in range(200)), *NEEDED], folder)
    assert sorted(_documents(bring().sentences("en"))) == [f"{folder}/{name}" for name in NEEDED]


def test_what_a_corpus_is_known_by_does_not_depend_on_how_much_of_it_was_fetched(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path
) -> None:
    archives = bring()
    release = archives.release
    whole = fetch(release, str(base), tmp_path / "none")
    assert archives.identity == whole.identity
    assert [here(release, name, tmp_path / "home") for name in release.files] == list(whole.sizes.values())
    assert here(release, EN, tmp_path / "none") is None


def test_an_excerpt_is_fetched_once(bring: Fetch, mirror: Any) -> None:
    archives = bring()
    mirror.requests.clear()
    assert bring() == archives
    assert mirror.requests == []


def test_other_links_are_given_the_members_that_an_excerpt_lacks(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path
) -> None:
    bring()
    _write_links(base, _links([*NEEDED, "d100.xml"]))
    (tmp_path / "home" / "Tiny" / "v1" / "xml" / "en-fr.xml.gz").unlink()
    assert _is_excerpt(bring(), ["a.xml", "b.xml", "d100.xml", "m.xml"])


def test_other_links_that_need_no_more_are_content_with_an_excerpt(
    bring: Fetch, mirror: Any, base: Path, tmp_path: Path
) -> None:
    _write_links(base, _links([*NEEDED, "nowhere.xml"]))
    archives = bring()
    _write_links(base, _links(["a.xml", "nowhere.xml"]))
    archives.links.unlink()
    mirror.requests.clear()
    assert _is_excerpt(bring())
    assert f"GET {EN}" not in mirror.requests


def test_another_pair_has_an_excerpt_of_its_own(bring: Fetch, mirror: Any, base: Path, tmp_path: Path) -> None:
    first = bring()
    other = Release("Tiny", "v1", "de", "en")
    (base / other.links).write_bytes(
        gzip.compress(_links(["d007.xml"]).replace("en/", "de/").replace("fr/", "en/").encode())
    )
    _write_zip(base / other.sentences("de"), ["d007.xml"], "Tiny/raw/de")
    second = fetch(other, mirror.base, tmp_path / "home", transfer=EAGER)
    assert second.sentences("en").parent.name == "of-de-en"
    assert list(_documents(second.sentences("en"))) == ["Tiny/raw/en/d007.xml"]
    assert _is_excerpt(first)


def test_a_whole_zip_that_is_here_is_used(bring: Fetch, mirror: Any, base: Path) -> None:
    whole = bring(Transfer(share=0))
    mirror.requests.clear()
    assert bring() == whole
    assert mirror.requests == []


@pytest.mark.parametrize("harm", ["shorter", "no manifest", "gone"])
def test_an_excerpt_that_is_not_as_its_manifest_says_is_fetched_again(bring: Fetch, mirror: Any, harm: str) -> None:
    path = bring().sentences("en")
    {
        "shorter": lambda: path.write_bytes(path.read_bytes()[:-1]),
        "no manifest": path.with_name("en.zip.json").unlink,
        "gone": path.unlink,
    }[harm]()
    assert _is_excerpt(bring())


def test_a_cut_within_a_member_is_mended_from_there(bring: Fetch, mirror: Any) -> None:
    mirror.faults[EN] = ["", "cut", "503"]
    assert _is_excerpt(bring())
    _, (_, start, end), (_, again, same), _ = [part for part in mirror.parts if part[0] == EN]
    assert (again, same) == ((start + end) // 2, end)


def test_a_zip_that_changes_on_the_way_is_begun_again_from_its_directory(bring: Fetch, mirror: Any, base: Path) -> None:
    mirror.faults[EN] = ["", "changing"]
    archives = bring()
    assert (
        read_manifest(archives.sentences("en"))["etag"]
        == mirror._validators(base / EN, (base / EN).read_bytes(), [])["ETag"]
    )
    assert len([part for part in mirror.parts if part[0] == EN]) > 4
    assert _is_excerpt(archives)


def test_a_damaged_link_file_is_named(bring: Fetch, base: Path) -> None:
    (base / LINKS).write_bytes((base / LINKS).read_bytes()[:-20])
    with pytest.raises(SourceError, match=r"en-fr\.xml\.gz is truncated"):
        bring()


def test_a_killed_process_leaves_the_members_it_has_and_the_next_goes_on(
    bring: Fetch, mirror: Any, tmp_path: Path
) -> None:
    mirror.faults[EN] = ["", "", "gated"]
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, mirror.base, str(tmp_path / "home")], cwd=ROOT)
    part = place(Release("Tiny", "v1", "en", "fr"), EN, tmp_path / "home").parent / "of-en-fr" / "en.zip.part"
    end = time.monotonic() + 20
    while len(asked := [(start, stop) for name, start, stop in mirror.parts if name == EN]) < 3 or not part.exists():
        assert time.monotonic() < end
        time.sleep(0.005)
    first, (start, stop) = asked[1][1] - asked[1][0], asked[2]
    while part.stat().st_size < first + (stop - start) // 2:
        assert time.monotonic() < end
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    mirror.parts.clear()
    assert _is_excerpt(bring())
    assert [part for part in mirror.parts if part[0] == EN] == [
        (EN, *asked[0]),
        (EN, start + (stop - start) // 2, stop),
    ]
