"""Our table of licences: every entry states its grounds, and what is known is an SPDX identifier."""

import pytest

from bitext_pivot.alignments.catalogue.corpus_licences import (
    UNKNOWN,
    _table,
    corpus_licence,
    corpus_licence_source,
)
from bitext_pivot.flows import presets

NOT_IN_SPDX = {"CC BY 2.0 FR"}
"""Licences that SPDX does not list: short texts."""


def test_every_entry_says_what_it_rests_on() -> None:
    assert len(_table()) > 50
    assert [name for name in _table() if len(corpus_licence_source(name)) <= 10] == []


def test_a_licence_is_an_identifier_of_spdx_or_a_short_text() -> None:
    library = pytest.importorskip(
        "license_expression", reason="needs the extra dev (license-expression)"
    )
    spdx = library.get_spdx_licensing()
    names = {corpus_licence(name) for name in _table()} - {UNKNOWN}
    assert {name for name in names if spdx.validate(name).errors} == NOT_IN_SPDX
    assert all(" " in name for name in NOT_IN_SPDX)


@pytest.mark.parametrize(
    ("corpus", "expected", "words"),
    [
        ("ParaCrawl", "CC0-1.0", "no claim is made about the texts"),
        ("TildeMODEL", "CC-BY-4.0", "README of v2018"),
        ("Europarl", "unknown", "statmt.org/europarl"),
        ("ELRC-5067-SciPar", "CC-BY-NC-SA-4.0", "ELRC-SHARE"),
        ("ELRC-9999-Something", "unknown", "each states its own"),
        ("Never-Heard-Of", "unknown", ""),
    ],
)
def test_a_licence_is_stated_only_where_it_is_known(corpus: str, expected: str, words: str) -> None:
    assert corpus_licence(corpus) == expected
    assert words in corpus_licence_source(corpus) and bool(words) == bool(
        corpus_licence_source(corpus)
    )


def test_every_corpus_of_the_presets_is_listed() -> None:
    used = {
        name.partition("/")[0]
        for preset in presets.names()
        for name in presets.load(preset)["corpora"]
    }
    assert used <= set(_table()) and len(used) > 8
