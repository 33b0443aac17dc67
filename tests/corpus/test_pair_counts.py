"""Counts of kept pairs and of scores."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from factories import assigned, judged
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.data_set_export import export_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas


def from_corpus(
    one: JudgedPair, corpus: str, licence: str = "CC0-1.0", **labels: Any
) -> JudgedPair:
    """Return the pair as one of another corpus."""
    parsed = one.scored.parsed
    assert parsed.pair.alignment is not None
    source = replace(parsed.pair.alignment.source, corpus=corpus, licence=licence)
    pair = replace(parsed.pair, alignment=replace(parsed.pair.alignment, source=source))
    return replace(one, scored=replace(one.scored, parsed=replace(parsed, pair=pair)), **labels)


PAIRS = [
    # One of 6 tokens is new: a full stop.
    judged(1, "Es regnete , wir blieben .", "Es regnete .", "Wir blieben ."),
    judged(2, "Es regnete , wir blieben .", "Es goss .", "Wir gingen ."),  # three of 6
    judged(3, "Nothing is alike .", "A .", "B .", rejected_by="overlap"),
    from_corpus(
        judged(4, "雨 が 降り 家 に いた 。", "雨 が 降った 。", "家 に いた 。"),
        "Rain",
        "unknown",
        construction="gerund",
    ),
]


def counted(pairs: Sequence[JudgedPair]) -> Counts:
    """Return what the export counts of some pairs."""
    files = DataSetFiles(Path("nowhere"), PairExportSettings(), schemas(BISECT.rows.classes))
    files.begin = lambda *_: None  # type: ignore[method-assign]
    files.write = lambda *_: None  # type: ignore[method-assign]
    return export_records(files, BISECT, assigned(pairs))


def test_words_licences_and_categories_are_those_of_kept_pairs() -> None:
    counts = counted(PAIRS).nested()
    assert {
        name: counts[name] for name in ("words", "licence", "categories", "unique", "subset")
    } == {
        "words": {
            "long": 6 + 6 + 7,
            "split": 6 + 6 + 8,
            "new_millionths": 166_667 + 500_000 + 250_000,
        },
        "licence": {"Everyday/v1": {"CC0-1.0": 2}, "Rain/v1": {"unknown": 1}},
        "categories": {"Everyday/v1": {"Direct Insertion": 2}, "Rain/v1": {"Direct Insertion": 1}},
        "unique": {"long": 2, "split": 3},
        "subset": {"train": 3},
    }
    assert counts["labels"]["translated"] == {"split": 3}
    assert counts["verdicts"] == {"Everyday/v1": {"kept": 2, "overlap": 1}, "Rain/v1": {"kept": 1}}


def test_a_rejected_pair_is_counted_as_rejected_only() -> None:
    assert {*counted([PAIRS[2]]).nested()} == {"kinds", "rejected", "unique", "verdicts"}


@given(st.permutations(PAIRS), st.integers(0, 8))
def test_order_of_pairs_and_cut_into_shards_do_not_matter(
    pairs: list[JudgedPair], cut: int
) -> None:
    whole = counted(PAIRS)
    assert counted(pairs) == whole
    parts = counted(pairs[:cut]) + counted(pairs[cut:])
    assert {path: n for path, n in parts.items() if path[0] != "unique"} == {
        path: n for path, n in whole.items() if path[0] != "unique"
    }
