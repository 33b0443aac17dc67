"""Fetching by a task: the settings of the site, and damaged archives, which are fetched once more."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import web
from builds import DOCUMENTS, tiny, write_corpus

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.download import file_download
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import DamagedError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards

RELEASE = Release("Tiny", "v1", "en", "fr")
FRENCH = RELEASE.sentences("fr")
DAMAGED = b"Then he watered"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A mirror of OPUS with the corpus Tiny/v1."""
    return write_corpus(tmp_path / "whole", DOCUMENTS)


@pytest.fixture
def damaged(whole: Path, tmp_path: Path) -> Path:
    """The same mirror with one wrong letter in the French zip."""
    shutil.copytree(whole, tmp_path / "damaged")
    path = tmp_path / "damaged" / FRENCH
    path.write_bytes(path.read_bytes().replace(DAMAGED, DAMAGED.replace(b"T", b"t")))
    return tmp_path / "damaged"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Fetch and extract from mirrors: each GET of the French zip goes to the next; return skips, requests and texts."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(file_download, "PAUSE", 0.001)

    def run(
        *mirrors: Path, home: str = "home", is_bitext: bool = True, **extraction: Any
    ) -> dict[str, Any]:
        gets: list[str] = []

        def answer(request: web.Request) -> web.Answer:
            if request.method == "GET" and request.path.endswith(FRENCH):
                gets.append(request.path)
            return web.files(mirrors[min(len(gets), len(mirrors)) - 1 if gets else 0])(request)

        settings = {name: tiny()[name] for name in ("corpora", "shard_rows", "screening")}
        with web.serve(answer) as address:
            site = Site(opus=address, home=tmp_path / home)
            form = Bitext.model_validate({**settings, "extraction": extraction})
            paths = extracted(form, site) if is_bitext else sentences_of(site)
        skips = [shards.read_manifest(path)["skips"] for path in paths]
        return {"gets": len(gets), "skips": skips, "shards": [path.read_bytes() for path in paths]}

    return run


def extracted(form: Bitext, site: Site) -> list[Path]:
    from bitext_pivot.tasks.extract import extract
    from bitext_pivot.tasks.fetch import fetch

    return list(extract(fetch(RELEASE, site), form, site).output)


def sentences_of(site: Site) -> list[Path]:
    from bitext_pivot.discourse.tasks.read_documents import _download_or_locate, write_sentences

    source = _download_or_locate(Release("Tiny", "v1", "fr", "fr"), "fr", False, site)
    return list(write_sentences(source, 2, site).output)


def test_a_damaged_archive_is_fetched_once_more(
    built: Callable[..., dict[str, Any]],
    whole: Path,
    damaged: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    expected = built(whole, home="other")
    assert expected["gets"] == 1
    assert built(damaged, whole) == expected | {"gets": 2}
    (line,) = [line for line in caplog.messages if "fr.zip" in line]
    assert "fr/garden.xml is damaged in " in line and line.endswith("It is fetched again.")


def test_documents_whose_archive_was_damaged_are_read_by_the_next_run(
    built: Callable[..., dict[str, Any]], whole: Path, damaged: Path
) -> None:
    """Of one language, the identity is the SHA-256 of the whole zip, which is another one when it is repaired."""
    with pytest.raises(
        SourceError,
        match=r"another version of .*fr\.zip than when this build began\. Run the command again",
    ):
        built(damaged, whole, is_bitext=False)
    expected = built(whole, home="other", is_bitext=False)
    assert built(whole, is_bitext=False) == expected | {"gets": 0}


def test_an_archive_that_stays_damaged_fails_by_name_until_the_mirror_is_repaired(
    built: Callable[..., dict[str, Any]], whole: Path, damaged: Path
) -> None:
    with pytest.raises(
        DamagedError, match=r"fr/garden\.xml is damaged in .*Tiny/v1/raw/fr\.zip \(Bad CRC-32"
    ):
        built(damaged)
    assert built(whole) == built(whole, home="other")


def test_damaged_documents_are_counted_on_request(
    built: Callable[..., dict[str, Any]], whole: Path, damaged: Path
) -> None:
    found = built(damaged, skip_damaged=True)
    reasons = [reason for skips in found["skips"] for reason in skips]
    assert found["gets"] == 1 and reasons.count("unreadable document: damaged in the archive") == 1
    assert "unreadable document: damaged in the archive" not in str(
        built(whole, skip_damaged=True, home="other")
    )


def test_another_archive_in_place_of_a_damaged_one_ends_the_build(
    built: Callable[..., dict[str, Any]], damaged: Path, tmp_path: Path
) -> None:
    new = write_corpus(tmp_path / "new", {"garden": DOCUMENTS["garden"]})
    with pytest.raises(
        SourceError, match=r"The server has another version of .*fr\.zip than when this build began"
    ):
        built(damaged, new)


def test_a_zip_of_a_mirror_that_is_a_folder_is_left_alone(damaged: Path, tmp_path: Path) -> None:
    assert not opus.discard(damaged / FRENCH, Site(opus=str(damaged), home=tmp_path))
    assert (damaged / FRENCH).exists()


def test_the_site_sets_how_files_are_downloaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from bitext_pivot.tasks.fetch import fetch

    calls: list[Any] = []
    monkeypatch.setattr(opus, "fetch", lambda *args, **_: calls.append(args))
    for name, value in {
        "HOME": str(tmp_path),
        "OPUS": "http://mirror",
        "TIMEOUT": "7",
        "DOWNLOADS": "3",
    }.items():
        monkeypatch.setenv(f"BITEXT_PIVOT_{name}", value)
    release = Release("Tiny", "v1", "en", "fr")
    fetch(release, Site())
    ((asked, site),) = calls
    assert (asked, site.opus, site.opus_folder) == (release, "http://mirror", tmp_path / "opus")
    assert (site.timeout, site.downloads) == (7, 3)
