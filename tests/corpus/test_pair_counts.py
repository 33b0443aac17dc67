"""Counts of kept pairs, and the paper's tables made of them."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from factories import assigned, judged
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.export import export
from bitext_pivot.corpus.facts import Facts
from bitext_pivot.corpus.formats import Export
from bitext_pivot.corpus.paper_tables import paper_tables
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
    judged(
        1, "Es regnete , wir blieben .", "Es regnete .", "Wir blieben ."
    ),  # one of 6 tokens is new: a full stop
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
    files = DataFiles(Path("nowhere"), Export(), schemas(BISECT.rows.classes))
    files.begin = lambda *_: None  # type: ignore[method-assign]
    files.write = lambda *_: None  # type: ignore[method-assign]
    return export(files, BISECT, assigned(pairs))


def test_kept_pairs_are_counted_by_corpus_licence_and_construction() -> None:
    counts = counted(PAIRS).nested()
    assert {
        name: counts[name] for name in ("by_corpus", "licence", "constructions", "unique", "subset")
    } == {
        "by_corpus": {
            "Everyday/v1": {
                "pairs": 2,
                "long_tokens": 12,
                "split_tokens": 12,
                "new_millionths": 166_667 + 500_000,
            },
            "Rain/v1": {"pairs": 1, "long_tokens": 7, "split_tokens": 8, "new_millionths": 250_000},
        },
        "licence": {"Everyday/v1": {"CC0-1.0": 2}, "Rain/v1": {"unknown": 1}},
        "constructions": {"Direct Insertion": {"gerund": 1, "other": 2}},
        "unique": {"long": 2, "split": 3},
        "subset": {"train": 3},
    }
    assert counts["labels"]["translated"] == {"split": 3}
    assert counts["verdicts"] == {"Everyday/v1": {"kept": 2, "overlap": 1}, "Rain/v1": {"kept": 1}}


def test_without_kept_pairs_there_are_scores_only() -> None:
    assert {*counted([PAIRS[2]]).nested()} == {"kinds", "rejected", "scores", "unique", "verdicts"}


@given(st.permutations(PAIRS * 2), st.integers(0, 8))
def test_order_of_pairs_and_cut_into_shards_do_not_matter(
    pairs: list[JudgedPair], cut: int
) -> None:
    whole = counted(PAIRS * 2)
    assert counted(pairs) == whole
    parts = counted(pairs[:cut]) + counted(pairs[cut:])
    assert {path: n for path, n in parts.items() if path[0] != "unique"} == {
        path: n for path, n in whole.items() if path[0] != "unique"
    }


def test_every_score_is_counted_once() -> None:
    far = replace(
        PAIRS[0],
        scored=replace(
            PAIRS[0].scored, scores={"truncated": 7.0, "meaning": -0.2, "meaning.first": 0.5}
        ),
    )
    assert counted([PAIRS[0], PAIRS[2], far]).nested()["scores"] == {
        "bertscore": {"kept": {"18": 1}, "rejected": {"18": 1}},
        "meaning": {"kept": {"00": 1}},
        "overlap": {"kept": {"10": 1}, "rejected": {"10": 1}},
        "truncated": {"kept": {"19": 1}},
    }


def test_lengths_ratio_and_categories_are_those_of_kept_pairs() -> None:
    pairs = [
        judged(1, "It rained , so we stayed home .", "It rained .", "So we slept ."),
        PAIRS[2],
        judged(3, "so " * 150 + ".", "It rained .", "So we slept ."),
    ]
    counts = counted(pairs)
    assert counts.below("lengths", "long") == {"008": 1, "100": 1}
    assert counts.below("lengths", "split") == {"007": 2}
    assert counts.below("length_ratio") == {"00": 1, "08": 1}  # 7 / 151, 7 / 8
    assert counts.below("categories", "Everyday/v1") == {"Direct Insertion": 2}


def facts(pairs: Sequence[JudgedPair] = PAIRS) -> Facts:
    """Return the facts of a build of two corpora."""
    shapes = {"1-1": 90, "1-2": 6, "2-1": 4}
    links = {"links": {name: {"shapes": shapes} for name in ("Everyday/v1", "Rain/v1")}}
    return Facts(
        title="fr-en: Mine", signature={"settings": {"pivot": "fr"}}, corpora={"Everyday/v1": {}, "Rain/v1": {}},
        counts=counted(pairs) + Counts.read(links),
    )  # fmt: skip


def table(title: str, pairs: Sequence[JudgedPair] = PAIRS) -> list[tuple[str, ...]]:
    """Return the rows of the table whose title begins with a text."""
    (found,) = (t for t in paper_tables(facts(pairs)).tables if t.title.startswith(title))
    assert {len(cells) for cells in found.rows} <= {len(found.head)}
    return [tuple(map(str, cells)) for cells in found.rows]


def test_table_1_has_links_pairs_and_lengths_by_corpus() -> None:
    assert table("Alignments and pairs by corpus") == [
        ("Everyday/v1", "fr", "100", "6", "4", "10.0%", "2", "20.0%", "6.0", "3.0"),
        ("Rain/v1", "fr", "100", "6", "4", "10.0%", "1", "10.0%", "7.0", "4.0"),
        ("all", "fr", "200", "12", "8", "10.0%", "3", "15.0%", "6.3", "3.3"),
    ]


def test_table_2_has_this_build_beside_published_corpora() -> None:
    this, *published = table("Size and rewriting")
    assert this == ("this build", "3", "2", "3", "30.6", "6.3", "3.3", "this build")
    assert published[0] == ("BiSECT", "938,102", "", "", "34.6", "40.1", "20.6", "B")


def test_table_4_has_the_constructions_of_each_category() -> None:
    assert table("Categories and constructions")[:3] == [
        ("Direct Insertion", "all", "3", "100.0%"), ("", "other", "2", "66.7%"), ("", "gerund", "1", "33.3%"),
    ]  # fmt: skip


def test_a_build_without_pairs_has_empty_cells() -> None:
    assert table("Alignments", [])[0] == (
        "Everyday/v1",
        "fr",
        "100",
        "6",
        "4",
        "10.0%",
        "0",
        "0.0%",
        "",
        "",
    )
    assert table("Size", [])[0] == ("this build", "0", "0", "0", "", "", "", "this build")


def files(shared: Path, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield long sentences and their splits of a published corpus."""
    folder = shared / "eval" / "models"
    if name == "HSplit, four references":
        source = (
            (folder / "hsplit" / "turkcorpus_test.norm").read_text(encoding="utf-8").splitlines()
        )
        for number in "1234":
            text = (folder / "hsplit" / f"HSplit{number}").read_text(encoding="utf-8")
            yield from (
                (long, [split, ""]) for long, split in zip(source, text.splitlines(), strict=True)
            )
    else:
        with gzip.open(
            folder / f"wikisplit_{name.removeprefix('WikiSplit, ')}.tsv.gz", "rt", encoding="utf-8"
        ) as file:
            for line in file:
                long, split = line.rstrip("\n").split("\t")
                yield long, split.split(" <::::> ")
