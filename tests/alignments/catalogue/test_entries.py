"""What OPUS has: a small catalogue counted by hand, and a few facts of the one that opustools ships."""

import json
import re
from pathlib import Path

import pytest
from catalogues import row, write

from bitext_pivot.alignments import fixes
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.catalogue.entries import (
    CatalogueEntry,
    complete_name,
    find_entries,
    find_entry,
    is_misspelt,
    unknown_release_message,
)
from bitext_pivot.alignments.catalogue.opusdata import Catalogue, open_catalogue
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site


@pytest.fixture
def small(tmp_path: Path) -> Catalogue:
    return Catalogue(write(tmp_path / "opusdata.db"))


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """The catalogue in the installed opustools, unpacked once."""
    return open_catalogue(Site(home=tmp_path_factory.mktemp("home")))


def names(entries: list[CatalogueEntry]) -> list[str]:
    return [f"{entry.corpus}/{entry.release}/{entry.pair}{'*' * entry.latest}" for entry in entries]


@pytest.mark.parametrize("pair", [("fr", "en"), ("en", "fr"), ("FR", "En")])
def test_corpora_with_most_links_come_first_and_their_latest_release(
    small: Catalogue, pair: tuple[str, str]
) -> None:
    assert names(find_entries(small, *pair)) == [
        "UNPC/v1.0/en-fr*", "Europarl/v8/en-fr*", "Europarl/v7/en-fr", "UN/v20090831/en-fr*", "GNOME/v2/en-fr*",
        "Tiny/v1/en-fr",
    ]  # fmt: skip


def test_an_entry_has_sizes_in_bytes_and_numbers_of_links(small: Catalogue) -> None:
    entry = find_entries(small, "fr", "en", "Europarl")[0]
    assert (entry.documents, entry.links, entry.tokens) == (10, 2100, [51, 61])
    kib = {"links": 91, "raw": 701 + 801, "xml": 7001 + 8001, "moses": 300}
    assert entry.sizes == {kind: number * 1024 for kind, number in kib.items()}
    assert entry.forms == ["raw", "xml", "moses"]
    release = Release.parse("Europarl/v8", "fr", "en")
    assert [entry.files[name] for name in release.files] == [91 * 1024, 701 * 1024, 801 * 1024]


def test_a_form_is_listed_only_with_all_its_files(small: Catalogue) -> None:
    assert {entry.corpus: entry.forms for entry in find_entries(small, "en", "fr")} == {
        "UNPC": [], "Europarl": ["raw"], "UN": ["raw"], "GNOME": [], "Tiny": [],
    }  # fmt: skip


def test_what_nobody_counted_is_none_and_not_zero(small: Catalogue) -> None:
    entry = find_entries(small, "en", "fr", "Tiny")[0]
    assert (entry.documents, entry.links, entry.tokens) == (None, None, [None, None])


def test_links_are_never_fewer_than_the_lines_made_of_them(small: Catalogue) -> None:
    assert find_entries(small, "en", "pt_br", "OpenSubtitles")[0].links == 600


def test_a_corpus_under_another_name_is_found_under_its_own(small: Catalogue) -> None:
    (entry,) = find_entries(small, "en", "fr", "UN")
    assert (entry.release, entry.links, entry.latest) == ("v20090831", 740, True)
    assert names(find_entries(small, "en", "fr", "UNPC")) == ["UNPC/v1.0/en-fr*"]


@pytest.mark.parametrize("pair", [("de", "en"), ("en", "de")])
def test_a_pair_filed_against_ascii_order_is_found_as_filed(
    small: Catalogue, pair: tuple[str, str]
) -> None:
    assert names(find_entries(small, *pair)) == [
        "StanfordNLP-NMT/v1.0/en-de*",
        "Europarl/v8/de-en*",
    ]


@pytest.mark.parametrize("code", ["pt-br", "pt_BR", "PT_br"])
def test_a_language_stands_for_all_spellings_of_its_code(small: Catalogue, code: str) -> None:
    assert names(find_entries(small, code, "en")) == [
        "OpenSubtitles/v2018/en-pt_br*",
        "GNOME/v1/en-pt_BR",
    ]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            ("enn", "fr"),
            r"'enn' is not a language of OPUS\. Did you mean 'en'\? Known: de, en, fr, pt_BR, pt_br\.",
        ),
        (("en", "xx"), r"'xx' is not a language of OPUS\. Known: de, en, fr, pt_BR, pt_br\."),
        (("de", "fr"), r"OPUS has no bitext de-fr\. It has bitext of de with: en\."),
        (("en", "EN"), "Both languages are 'en'"),
        (
            ("en", "fr", "Europral"),
            r"'Europral' is not a corpus of OPUS with en-fr\. Did you mean 'Europarl'\?",
        ),
        (
            ("en", "de", "UNPC"),
            r"'UNPC' is not a corpus of OPUS with en-de\. Known: Europarl, StanfordNLP-NMT\.",
        ),
        (("en", "fr", "JW300"), "'JW300': it is no longer distributed by OPUS"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest_name(
    small: Catalogue, asked: tuple[str, ...], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        find_entries(small, *asked)


@pytest.mark.parametrize("corpus", ["europarl", "EUROPARL", "Europarl-v8"])
def test_a_corpus_is_known_by_its_other_names(small: Catalogue, corpus: str) -> None:
    assert {entry.corpus for entry in find_entries(small, "en", "fr", corpus)} == {"Europarl"}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Europarl/latest", "Europarl/v8"),
        ("Europarl/latest:moses", "Europarl/v8:moses"),
        ("Europarl/v3", "Europarl/v3"),
        ("UN/latest:raw", "UN/v20090831:raw"),
        ("Gigaword/v2", "giga-fren/v2"),
        ("Never-Heard-Of/v1", "Never-Heard-Of/v1"),
    ],
)
def test_the_latest_release_gets_its_name(small: Catalogue, asked: str, expected: str) -> None:
    assert complete_name(asked, "fr", "en", lambda: small) == expected


def test_a_latest_release_without_the_pair_names_others(small: Catalogue) -> None:
    with pytest.raises(
        SettingsError,
        match=r"The latest release of GNOME does not have pt_BR-en\. Name a release that has it: GNOME/v1\.",
    ):
        complete_name("GNOME/latest", "pt_BR", "en", lambda: small)


def test_a_corpus_that_only_a_mirror_has_needs_a_release_too(small: Catalogue) -> None:
    words = (
        r"'Everyday' has no release; expected .*Everyday/v1\. 'Everyday' is not a corpus of OPUS"
    )
    with pytest.raises(SettingsError, match=words):
        complete_name("Everyday", "fr", "en", lambda: small)


def test_settings_are_pinned_so_that_what_ran_is_recorded(tmp_path: Path) -> None:
    site = Site(home=tmp_path / "home", catalogue=write(tmp_path / "opusdata.db"))
    bitext = Bitext(corpora=["Europarl/latest", "Own/v1"]).pinned(site)
    assert (
        bitext.corpora == ["Europarl/v8", "Own/v1"] and bitext.title == "fr-en: Europarl/v8, Own/v1"
    )
    assert not (tmp_path / "home").exists()


def test_a_release_that_was_named_twice_is_read_once(tmp_path: Path) -> None:
    site = Site(home=tmp_path / "home", catalogue=write(tmp_path / "opusdata.db"))
    assert Bitext(corpora=["Europarl/latest", "Europarl/v8"]).pinned(site).corpora == [
        "Europarl/v8"
    ]
    with pytest.raises(ValueError, match="would give rows and files the same names"):
        Bitext(corpora=["Europarl/latest:moses", "Europarl/v8"]).pinned(site)
    # Otherwise the statistics of both would be added up.
    with pytest.raises(ValueError, match="difference between - and /"):
        Bitext(corpora=["My-News/v1", "My/News-v1"])


def test_without_latest_the_catalogue_stays_closed(tmp_path: Path) -> None:
    Bitext(corpora=["Europarl/v8"]).pinned(
        Site(home=tmp_path / "home", catalogue=tmp_path / "none.db")
    )


def test_a_release_is_looked_up_for_a_pair_as_filed(small: Catalogue) -> None:
    found = find_entry(small, "StanfordNLP-NMT", "v1.0", ("en", "de"))
    assert found is not None and found.links == 4468
    assert find_entry(small, "Europarl", "v9", ("en", "fr")) is None
    assert find_entry(small, "Europarl", "v8", ("xx", "yy")) is None


@pytest.mark.parametrize(
    ("corpus", "release", "words"),
    [
        ("Europarl", "v9", "Europarl has en-fr in v8, v7, not in v9."),
        ("Europral", "v8", "Known: Europarl, GNOME, Tiny, UN, UNPC."),
    ],
)
def test_a_doubt_names_what_there_is(
    small: Catalogue, corpus: str, release: str, words: str
) -> None:
    assert unknown_release_message(small, corpus, release, ("en", "fr")).endswith(words)


def test_an_entry_for_programs_is_plain_json_with_its_licence(tmp_path: Path) -> None:
    rows = [
        row("Tatoeba/v2/xml/en-fr", 3, 8, latest=True),
        row("Tatoeba/v2/raw/en", 1),
        row("Tatoeba/v2/raw/fr", 2),
    ]
    (entry,) = find_entries(Catalogue(write(tmp_path / "opusdata.db", rows)), "en", "fr")
    assert json.loads(json.dumps(entry.to_dict())) == {
        "corpus": "Tatoeba", "release": "v2", "latest": True, "pair": "en-fr", "forms": ["raw"], "documents": None,
        "links": 8, "tokens": {"en": None, "fr": None}, "bytes": {"links": 3072, "raw": 3072},
        "files": {
            "OPUS-Tatoeba/v2/xml/en-fr.xml.gz": 3072, "OPUS-Tatoeba/v2/raw/en.zip": 1024,
            "OPUS-Tatoeba/v2/raw/fr.zip": 2048,
        },
        "licence": "CC BY 2.0 FR", "licence_source": "https://tatoeba.org/terms_of_use", "note": "",
    }  # fmt: skip


def test_the_shipped_catalogue_has_every_release_of_europarl(shipped: Catalogue) -> None:
    entries = find_entries(shipped, "fr", "en", "Europarl")
    assert names(entries) == ["Europarl/v8/en-fr*", "Europarl/v7/en-fr", "Europarl/v3/en-fr"]
    assert [entry.links for entry in entries] == [2055895, 2054543, 1333785]
    assert entries[0].forms == ["raw", "xml", "moses", "tmx"]


def test_the_shipped_catalogue_has_un_under_its_own_name(shipped: Catalogue) -> None:
    assert names(find_entries(shipped, "en", "fr", "UN")) == ["UN/v20090831/en-fr*"]
    assert "UN" in shipped.corpora() and "" not in shipped.languages()


def test_the_list_of_reversed_pairs_equals_the_shipped_catalogue(shipped: Catalogue) -> None:
    query = "SELECT DISTINCT url FROM opusfile WHERE preprocessing = 'xml' AND target != ''"
    filed = re.findall(
        r"/OPUS-([^/]+/[^/]+)/xml/([^-\s]+)-([^.]+)\.", "\n".join(shipped._column(query))
    )
    pairs = set(filed)
    reverse = {(release, a, b) for release, a, b in filed if a > b and (release, b, a) not in pairs}
    listed = {
        (r, *pair.split("-")) for r, many in fixes._data()["reversed"].items() for pair in many
    }
    assert listed == reverse


def test_what_the_fixes_name_is_in_the_shipped_catalogue(shipped: Catalogue) -> None:
    known, data = set(shipped.corpora()), fixes._data()
    assert set(data["aliases"].values()) <= known
    assert not set(data["withdrawn"]) & known
    assert {release.partition("/")[0] for release in data["notes"]} <= known
    assert set(data["candidates"]) - known == {"JusLaws"}  # ours, not of OPUS


SLIPS = [
    ("Europarl", False),
    ("Europal", True),
    ("Europral", True),
    ("EuroParll", True),
    ("europarl", True),
    ("WMTNews", True),
    ("WMT-New", True),
    ("WMT_News", True),
    ("Europarl2", False),  # perhaps newer than the catalogue
    ("MultiUN3", False),
    ("Tatoeba", False),
    ("News", False),
    ("Own", False),
    ("X", False),
]
"""A name, and whether it is a slip for one of the catalogue below."""


@pytest.mark.parametrize(("name", "expected"), SLIPS)
def test_a_name_that_is_nearly_a_corpus_is_a_slip(
    name: str, expected: bool, tmp_path: Path
) -> None:
    names = ("Europarl/v8", "WMT-News/v2019", "MultiUN/v1")
    rows = [row(f"{corpus}/xml/en-fr", 1, 1) for corpus in names]
    assert is_misspelt(Catalogue(write(tmp_path / "some.db", rows)), name) is expected
