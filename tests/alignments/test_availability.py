"""Names of corpora that are refused without a server."""

from pathlib import Path

import pytest
from builds import DOCUMENTS, write_corpus
from catalogues import row, write

from bitext_pivot.alignments import availability
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site with a mirror in a folder."""
    return Site(home=tmp_path / "home", opus=str(tmp_path / "mirror"))


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

    monkeypatch.setattr(availability, "DownloadSession", no_network)
    rows = [row("Europarl/v8/xml/en-fr", 100, 40_000, latest=True)]
    site = Site(home=tmp_path / "home", catalogue=write(tmp_path / "opusdata.db", rows))
    wanted = Release.parse(name, "fr", "en")
    if not words:
        availability.check_exists(wanted, site)
        return
    with pytest.raises(SettingsError, match=words):
        availability.check_exists(wanted, site)


def test_a_name_that_a_folder_lacks_is_refused(tmp_path: Path, site: Site) -> None:
    write_corpus(tmp_path / "mirror", DOCUMENTS)
    with pytest.raises(SettingsError, match="Did you mean 'OPUS-Tiny'"):
        availability.check_exists(Release.parse("Tinny/v1", "en", "fr"), site)
