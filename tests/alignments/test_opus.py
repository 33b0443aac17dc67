import hashlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from messages import Golden
from rich.filesize import decimal
from served import PATIENCE, until

from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.core.errors import AbsentError, DamagedError, SettingsError, SourceError
from bitext_pivot.core.progress import logged_to
from bitext_pivot.core.site import Site

EN, FR = {"a.xml": '<text><s id="1">A</s></text>'}, {"a.xml": '<text><s id="1">B</s></text>'}
LINKS = '<linkGrp fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz"><link xtargets="1;1"/></linkGrp>'
NAMES = ("OPUS-Tiny/v1/xml/en-fr.xml.gz", "OPUS-Tiny/v1/raw/en.zip", "OPUS-Tiny/v1/raw/fr.zip")


@pytest.fixture
def release(corpus: Callable[..., tuple[Release, ReleaseFiles]]) -> Release:
    return corpus(LINKS, EN, FR)[0]


def _left(folder: Path) -> list[str]:
    """Files under a folder; lock files stay and are left out."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return sorted(str(path.relative_to(folder)) for path in files)


@pytest.mark.parametrize("languages", [("fr", "en"), ("en", "fr")])
def test_a_pair_is_filed_in_ascii_order_either_way(languages: tuple[str, str]) -> None:
    release = Release.parse("Tiny/v1", *languages)
    assert (release.languages, release.name, release.files) == (
        ("en", "fr"),
        "Tiny/v1/en-fr",
        NAMES,
    )


@pytest.mark.parametrize("languages", [("de", "en"), ("en", "de")])
def test_a_pair_filed_the_other_way_round_is_found(languages: tuple[str, str]) -> None:
    release = Release.parse("StanfordNLP-NMT/v1.0", *languages)
    assert release.links == "OPUS-StanfordNLP-NMT/v1.0/xml/en-de.xml.gz"
    assert (
        Release.parse("StanfordNLP-NMT/v1.0", "en", "cs").links
        == "OPUS-StanfordNLP-NMT/v1.0/xml/cs-en.xml.gz"
    )


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_folder_is_used_in_place(release: Release, tmp_path: Path, scheme: str) -> None:
    base = tmp_path / "base"
    site = Site(opus=f"{scheme}{base}", home=tmp_path / "home")
    archives = fetch(release, site)
    assert archives.links == base / NAMES[0]
    assert [archives.sentences(language) for language in ("en", "fr")] == [
        base / NAMES[1],
        base / NAMES[2],
    ]
    assert not (tmp_path / "home").exists()


def test_files_are_downloaded_with_manifests_log_lines_and_progress_once(
    release: Release,
    tmp_path: Path,
    mirror: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr("bitext_pivot.core.progress._EVERY", 0.0)
    site = Site(opus=mirror.base, home=tmp_path)
    with logged_to(logging.getLogger("progress")):
        first = fetch(release, site, log=logging.getLogger("run"))
    paths = [first.links, first.sentences("en"), first.sentences("fr")]
    assert _left(site.opus_folder) == sorted(
        f"Tiny/v1/{path.parent.name}/{path.name}{suffix}"
        for path in paths
        for suffix in ("", ".json")
    )
    assert [path.read_bytes() for path in paths] == [
        (tmp_path / "base" / name).read_bytes() for name in NAMES
    ]
    requests = [f"{command} {name}" for name in NAMES for command in ("HEAD", "GET")]
    assert mirror.requests[:2] == requests[:2]
    assert sorted(mirror.requests) == sorted(requests)
    lines = [record.message.partition(":")[0] for record in caplog.records if record.name == "run"]
    assert sorted(lines) == ["en-fr.xml.gz", "en.zip", "fr.zip"]
    shown = [record.message for record in caplog.records if record.name == "progress"]
    for path in paths:
        size = decimal(path.stat().st_size)
        assert any(message.startswith(f"{path.name}: {size} of {size}, ") for message in shown)
    assert fetch(release, Site(opus=mirror.base, home=tmp_path)) == first
    assert len(mirror.requests) == 6


def test_archives_are_downloaded_at_the_same_time(
    release: Release, mirror: Any, tmp_path: Path
) -> None:
    mirror.faults |= dict.fromkeys(NAMES[1:], "gated")
    site = Site(opus=mirror.base, home=tmp_path)
    thread = threading.Thread(target=fetch, args=(release, site))
    thread.start()
    until(lambda: {f"GET {name}" for name in NAMES} <= set(mirror.requests), pause=0.005)
    mirror.gate.set()
    thread.join()
    assert "Tiny/v1/raw/fr.zip.json" in _left(site.opus_folder)


def test_one_file_at_a_time(release: Release, mirror: Any, tmp_path: Path) -> None:
    fetch(release, Site(opus=mirror.base, home=tmp_path, downloads=1))
    assert mirror.requests == [f"{command} {name}" for name in NAMES for command in ("HEAD", "GET")]


def test_the_first_failure_stops_the_other_downloads(
    release: Release, mirror: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("bitext_pivot.alignments.download.file_download.PAUSE", PATIENCE)
    mirror.faults |= {NAMES[1]: "404", NAMES[2]: "503"}
    begin = time.monotonic()
    with golden.refused(AbsentError):
        fetch(release, Site(opus=mirror.base, home=tmp_path))
    assert time.monotonic() - begin < PATIENCE / 2
    mirror.requests.clear()
    mirror.faults[NAMES[0]] = "401"
    with golden.refused(SourceError):
        fetch(release, Site(opus=mirror.base, home=tmp_path / "other"))
    assert mirror.requests == [f"HEAD {NAMES[0]}"]


def test_the_identity_of_a_corpus_ignores_its_place(
    release: Release, tmp_path: Path, mirror: Any
) -> None:
    over_http = fetch(release, Site(opus=mirror.base, home=tmp_path))
    in_place = fetch(release, Site(opus=str(tmp_path / "base"), home=tmp_path))
    assert over_http.identity == in_place.identity
    assert (
        over_http.sha256 == hashlib.sha256((tmp_path / "base" / NAMES[0]).read_bytes()).hexdigest()
    )
    sizes = {name: facts["bytes"] for name, facts in over_http.identity.items()}
    assert sizes == {name: (tmp_path / "base" / name).stat().st_size for name in NAMES}


def test_the_identity_changes_with_a_text_of_the_same_length(
    corpus: Callable[..., tuple[Release, ReleaseFiles]], tmp_path: Path
) -> None:
    before = corpus(LINKS, EN, FR)[1]
    after = corpus(LINKS, EN, {"a.xml": FR["a.xml"].replace("B", "C")})[1]
    assert [name for name in NAMES if before.identity[name] != after.identity[name]] == [NAMES[2]]
    assert before.identity[NAMES[2]]["bytes"] == after.identity[NAMES[2]]["bytes"]


@pytest.mark.parametrize("harm", ["shorter", "one bit", "no manifest", "damaged manifest", "gone"])
def test_a_file_that_differs_from_its_manifest_is_fetched_again(
    release: Release, tmp_path: Path, mirror: Any, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    site = Site(opus=mirror.base, home=tmp_path)
    archives = fetch(release, site)
    path = archives.sentences("fr")
    manifest = path.with_name("fr.zip.json")
    harms: dict[str, Callable[[], object]] = {
        "shorter": lambda: path.write_bytes(path.read_bytes()[:-1]),
        "one bit": lambda: path.write_bytes(
            bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]
        ),
        "no manifest": manifest.unlink,
        "damaged manifest": lambda: manifest.write_text("{"),
        "gone": path.unlink,
    }
    harms[harm]()
    assert fetch(release, site) == archives
    assert sum(
        "fr.zip has changed since it was downloaded" in line for line in caplog.messages
    ) == (harm != "gone")
    assert mirror.requests.count(f"GET {NAMES[2]}") == 2
    assert [mirror.requests.count(f"GET {name}") for name in NAMES[:2]] == [1, 1]
    assert path.read_bytes() == (tmp_path / "base" / NAMES[2]).read_bytes()


@pytest.mark.parametrize(
    "asked",
    [
        ("Tinny/v1", "en", "fr"),
        ("Tiny/v2", "en", "fr"),
        ("Tiny/v1", "en", "fi"),
        ("Tiny/v1", "de", "en"),
    ],
)
def test_an_absent_name_is_answered_with_the_nearest(
    release: Release,
    tmp_path: Path,
    asked: tuple[str, str, str],
    golden: Golden,
) -> None:
    with golden.refused(SourceError):
        fetch(Release.parse(*asked), Site(opus=str(tmp_path / "base"), home=tmp_path))


def test_a_folder_without_a_language_or_without_corpora(
    release: Release, tmp_path: Path, golden: Golden
) -> None:
    (tmp_path / "base" / NAMES[2]).unlink()
    with golden.refused(SourceError):
        fetch(release, Site(opus=str(tmp_path / "base"), home=tmp_path))
    with golden.refused(SourceError):
        fetch(release, Site(opus=str(tmp_path / "nowhere"), home=tmp_path))


def test_a_damaged_zip_is_refused(release: Release, tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "base" / NAMES[1]).write_bytes(b"no zip")
    with golden.refused(DamagedError):
        fetch(release, Site(opus=str(tmp_path / "base"), home=tmp_path))


@pytest.mark.parametrize("base", ["ftp://example.org/opus", "s3://opus"])
def test_another_kind_of_address_is_refused(
    release: Release, tmp_path: Path, base: str, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        fetch(release, Site(opus=base, home=tmp_path))
