"""Links that are counted in the files of a release, and names that are refused without a server."""

import gzip
import zipfile
from pathlib import Path

import pytest
from catalogues import row, write

from bitext_pivot.alignments import opus, sizes
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site

HEAD = b'<?xml version="1.0"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD" "">\n<cesAlign version="1.0">\n'
LINK_FILES = {
    "none": (HEAD + b"</cesAlign>", 0),
    "two": (HEAD + b'<linkGrp><link xtargets="1;1" id="SL1" />\n<link xtargets="2;2 3"/></linkGrp>', 2),
    "one line": (b'<linkGrp><link xtargets="1;1"/><link xtargets="2;2"/></linkGrp>' * 500, 1_000),
    "line breaks": (b'<link\n xtargets="1;1"/>\n<link\txtargets="2;2"/>', 2),
    "groups": (b'<linkGrp targType="s"></linkGrp><linkGrp></linkGrp>', 0),
    "open and close": (b'<link xtargets="1;1"></link><link xtargets=""></link>', 2),
    "empty": (b"", 0),
}  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site with a mirror in a folder."""
    return Site(home=tmp_path / "home", opus=str(tmp_path / "mirror"))


def release(tmp_path: Path, links: bytes) -> Release:
    """Write a release of documents into the mirror."""
    folder = tmp_path / "mirror" / "OPUS-Own" / "v1"
    for name in ("xml", "raw"):
        (folder / name).mkdir(parents=True)
    (folder / "xml" / "en-fr.xml.gz").write_bytes(links)
    for language in ("en", "fr"):
        with zipfile.ZipFile(folder / "raw" / f"{language}.zip", "w") as archive:
            archive.writestr("README", "")
    return Release.of("Own/v1", "en", "fr")


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize("name", LINK_FILES)
def test_links_of_a_mirror_are_counted(
    name: str, block: int, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_BLOCK", block)
    text, number = LINK_FILES[name]
    archives = opus.find(release(tmp_path, gzip.compress(text)), site)
    assert archives is not None and sizes.count_links(archives) == number


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(b"<link />" * 99)[:-20]])
def test_a_damaged_link_file_is_not_counted(content: bytes, tmp_path: Path, site: Site) -> None:
    archives = opus.find(release(tmp_path, content), site)
    assert archives is not None
    assert sizes.count_links(archives) in {None, 0}


def test_a_large_link_file_is_not_counted(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_COUNTABLE", 20)
    archives = opus.find(release(tmp_path, gzip.compress(b"<link />")), site)
    assert archives is not None and sizes.count_links(archives) is None


@pytest.mark.parametrize(("text", "number"), [("", 0), ("a\n", 1), ("a\nb", 2), ("a\n\nb\n", 3)])
def test_lines_of_a_moses_zip_are_counted(
    text: str, number: int, tmp_path: Path, site: Site
) -> None:
    folder = tmp_path / "mirror" / "OPUS-Own" / "v1" / "moses"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "en-fr.txt.zip", "w") as archive:
        for language in ("en", "fr"):
            archive.writestr(f"Own.en-fr.{language}", text)
    archives = opus.find(Release.of("Own/v1:moses", "en", "fr"), site)
    assert archives is not None and sizes.count_links(archives) == number


NAMES = [
    ("Europal/v8", "Did you mean 'Europarl'"),
    ("europarll/v8", "Did you mean 'Europarl'"),
    ("europarl/v8", "Did you mean 'Europarl'"),
    ("Europarl/v8", ""),
]


@pytest.mark.parametrize(("name", "words"), NAMES)
def test_a_slip_in_a_name_is_refused_without_a_server(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(*_: object) -> None:
        raise AssertionError("a server was asked")

    monkeypatch.setattr(sizes, "Session", no_network)
    rows = [row("Europarl/v8/xml/en-fr", 100, 40_000, latest=True)]
    site = Site(home=tmp_path / "home", catalogue=write(tmp_path / "opusdata.db", rows))
    wanted = Release.of(name, "fr", "en")
    if not words:
        sizes.check_exists(wanted, site)
        return
    with pytest.raises(SettingsError, match=words):
        sizes.check_exists(wanted, site)


def test_a_name_that_a_folder_lacks_is_refused(tmp_path: Path, site: Site) -> None:
    release(tmp_path, gzip.compress(b""))
    with pytest.raises(SettingsError, match="Did you mean 'OPUS-Own'"):
        sizes.check_exists(Release.of("Owns/v1", "en", "fr"), site)
