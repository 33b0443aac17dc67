"""Bitexts that share the documents of one language: which neighbours come of them, and what is counted."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pack import Link, pack_corpus
from pydantic import ValidationError

from bitext_pivot.alignments.opus import fetch
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.discourse.explicitation_records import NeighbourPair
from bitext_pivot.discourse.reading.multiway import SharedBitext, SharedDocuments

QUICKSTART = Path(__file__).parents[3] / "quickstart"
Bitexts = Mapping[str, Mapping[str, list[Link]]]


def link(en: str, **others: str) -> Link:
    """Return a link: `|` separates the sentences of a side."""
    sides = {"en": en, **others}
    return Link({language: text.split("|") for language, text in sides.items() if text})


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[list[list[NeighbourPair]], Counter[str]]]:
    """Read the neighbours of a folder in OPUS layout, and what was skipped."""

    def run(opus: Path, bitext: SharedBitext) -> tuple[list[list[NeighbourPair]], Counter[str]]:
        site = Site(opus=str(opus), home=tmp_path)
        archives = [fetch(release, site) for release in bitext.releases()]
        shared = SharedDocuments(
            archives=archives, language="en", max_documents=bitext.max_documents
        )
        skips = Counter[str]()
        return list(shared.neighbours(RowStore(tmp_path / "store", "links"), skips)), +skips

    return run


def test_neighbours_have_their_translations_by_1_1_links(
    read: Callable[..., tuple[Any, Any]],
) -> None:
    documents, skips = read(
        QUICKSTART / "opus", SharedBitext(pivots=["fr", "es", "de"], corpora=["Chronicle/v1"])
    )
    assert {rows[0].source.document: len(rows) for rows in documents} == {
        "en/shop.xml": 5, "en/weather.xml": 5, "en/letter.xml": 5, "en/kitchen.xml": 5, "en/football.xml": 4
    }  # fmt: skip
    assert skips == {"document in one language only": 1}
    last = next(rows[-1] for rows in documents if rows[0].source.document == "en/weather.xml")
    assert (last.id, last.ids) == ("Chronicle/v1/en/en/weather.xml:5-6", ("5", "6"))
    assert (last.source.corpus, last.source.release, last.source.licence) == (
        "Chronicle",
        "v1",
        "CC0-1.0",
    )
    assert last.language == "en"
    assert [rendering.language for rendering in last.renderings] == ["es", "de"]
    german = last.renderings[1]
    assert (german.document, german.ids) == ("de/weather.xml", ("5", "6"))
    assert german.texts == (
        "Das Buch war sehr lang.",
        "Mein Bruder schlief nach zwei Seiten, weil er müde war.",
    )


def test_a_document_is_read_up_to_the_limit(read: Callable[..., tuple[Any, Any]]) -> None:
    bitext = SharedBitext(pivots=["es", "fr"], corpora=["Chronicle/v1"], max_documents=2)
    documents, _ = read(QUICKSTART / "opus", bitext)
    assert [rows[0].source.document for rows in documents] == ["en/shop.xml", "en/weather.xml"]


def test_what_cannot_be_used_is_counted(
    read: Callable[..., tuple[Any, Any]], tmp_path: Path
) -> None:
    day = [
        link("It rains.", fr="Il pleut.", es="Llueve.", el="Βρέχει."),
        link("We stay.", fr="Nous restons.", es="Nos\x7f quedamos.", el="Μένουμε."),
        link("We read.", fr="Nous|lisons.", es="Leemos.", el="Διαβάζουμε."),
        link("We" + " sleep" * 400 + ".", fr="Nous dormons.", es="Dormimos.", el="Κοιμόμαστε."),
        link("Night falls.", fr="La nuit tombe.", es="Cae la noche.", el="Πέφτει η νύχτα."),
        link("It dawns.", fr="Il fait jour.", es="Amanece.", el="Ξημερώνει."),
    ]
    pack_corpus(
        tmp_path / "opus", "Days", {language: {"day": day} for language in ("fr", "es", "el")}
    )
    documents, skips = read(
        tmp_path / "opus", SharedBitext(pivots=["fr", "es", "el"], corpora=["Days/v1"])
    )
    assert [
        (row.second, [one.language for one in row.renderings]) for rows in documents for row in rows
    ] == [
        ("We stay.", ["fr", "el"]),
        ("It dawns.", ["fr", "es", "el"]),
    ]
    assert skips == {"too long": 2, "1-1 links of both sentences in fewer than two languages": 1}


def test_bitexts_with_documents_of_their_own_are_refused(
    read: Callable[..., tuple[Any, Any]],
) -> None:
    with pytest.raises(
        SourceError, match=r"Everyday/v1 has no document in en that two of its bitexts share"
    ):
        read(QUICKSTART / "opus", SharedBitext(pivots=["fr", "es"], corpora=["Everyday/v1"]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pivots": ["fr"]}, "a label needs 2 languages that agree. Name another"),
        ({"pivots": ["fr", "fr"]}, r"pivots contains a name twice \(fr, fr\)"),
        ({"pivots": ["fr", "en"]}, "pivots contains 'en', the language of the documents"),
        ({"corpora": ["Europarl/v8", "Europarl/v8"]}, "corpora contains a name twice"),
        ({"corpora": ["Europarl/latest"]}, "such as Europarl/v8"),
        ({"corpora": ["Europarl/v8:moses"]}, "such as Europarl/v8"),
        ({"corpora": []}, "at least 1 item"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        SharedBitext.model_validate(settings)


def test_a_build_is_named_after_its_languages_and_corpora() -> None:
    bitext = SharedBitext(pivots=["de", "fr"], corpora=["Europarl/v8", "TED2020/v1"])
    assert (bitext.folder, bitext.title) == ("de-fr-en", "de-fr-en: Europarl/v8, TED2020/v1")
    assert [release.name for release in bitext.releases()] == [
        "Europarl/v8/de-en", "Europarl/v8/en-fr", "TED2020/v1/de-en", "TED2020/v1/en-fr"
    ]  # fmt: skip
