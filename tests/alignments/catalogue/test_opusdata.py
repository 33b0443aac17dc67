"""The catalogue's file: plain or packed, unpacked once, refused when it is damaged."""

import gzip
from pathlib import Path

import pytest
from catalogues import write

from bitext_pivot.alignments.catalogue.opusdata import Catalogue, open_catalogue
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.site import Site


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A packed catalogue."""
    path = tmp_path / "opusdata.db.gz"
    path.write_bytes(gzip.compress(write(tmp_path / "opusdata.db").read_bytes()))
    return path


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_plain_catalogue_is_used_in_place(tmp_path: Path) -> None:
    path = write(tmp_path / "o?pus data%.db")  # an address to SQLite, where these mean something
    assert open_catalogue(Site(home=tmp_path / "home", catalogue=path)).languages() == [
        "de",
        "en",
        "fr",
        "pt_BR",
        "pt_br",
    ]
    assert not (tmp_path / "home").exists()


def test_a_packed_catalogue_is_unpacked_once(tmp_path: Path, packed: Path) -> None:
    site = Site(cache=tmp_path / "cache", catalogue=packed)
    copy = open_catalogue(site).path
    before = copy.stat().st_mtime_ns
    assert open_catalogue(site).path == copy and copy.stat().st_mtime_ns == before
    assert copy.read_bytes() == (tmp_path / "opusdata.db").read_bytes()
    assert sorted(_left(tmp_path / "cache")) == [copy.name, f"{copy.name}.json"]


def test_a_damaged_copy_is_unpacked_again(tmp_path: Path, packed: Path) -> None:
    site = Site(cache=tmp_path / "cache", catalogue=packed)
    copy = open_catalogue(site).path
    copy.write_bytes(b"x" + copy.read_bytes()[1:])
    assert open_catalogue(site).path.read_bytes() == (tmp_path / "opusdata.db").read_bytes()


def test_another_packed_catalogue_gets_a_copy_of_its_own(tmp_path: Path, packed: Path) -> None:
    site = Site(cache=tmp_path / "cache", catalogue=packed)
    first = open_catalogue(site).path
    packed.write_bytes(gzip.compress(write(tmp_path / "other.db", []).read_bytes()))
    assert open_catalogue(site).path != first and open_catalogue(site).corpora() == []


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"no gzip", lambda data: data[:-8]]
)
def test_a_damaged_package_leaves_no_copy(tmp_path: Path, packed: Path, damage) -> None:  # type: ignore[no-untyped-def]
    packed.write_bytes(damage(packed.read_bytes()))
    with pytest.raises(
        SourceError, match=r"opusdata\.db\.gz cannot be read as a catalogue of OPUS"
    ):
        open_catalogue(Site(cache=tmp_path / "cache", catalogue=packed))
    assert _left(tmp_path / "cache") == []


@pytest.mark.parametrize(
    "content", [None, b"no database at all, but long enough to be looked at" * 40, b""]
)
def test_a_file_that_is_no_catalogue_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "opusdata.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=r"opusdata\.db cannot be read as a catalogue of OPUS"):
        Catalogue(path).languages()
    assert path.exists() == (content is not None)


def test_quotes_in_a_language_are_no_sql(tmp_path: Path) -> None:
    small = Catalogue(write(tmp_path / "opusdata.db"))
    assert small.releases(["en' OR '1'='1"], ["fr"]) == []
    assert small.documents("en' OR '1'='1") == []
    assert small.partners("en'") == []
