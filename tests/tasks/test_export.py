"""What the export reads of the divided pairs: the samples that the inspector and the examples show."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from factories import judged

from corpus.divide import Place
from corpus.examples import EXAMPLES
from corpus.export import watched
from corpus.inspector import page
from corpus.recipes.bisect import BISECT
from corpus.rows import Row
from corpus.schema import schema
from corpus.statistics import Unique
from pairs.records import JudgedPair
from pairs.storage import shards

if TYPE_CHECKING:
    from tasks.divide import Divided

PAIRS = [
    *(judged(number, f"It rained {number} .", "It .", "So .") for number in range(1_030)),
    *(judged(number, "No .", "A .", "B .", rejected_by="overlap") for number in range(1_030, 1_060)),
    replace(
        judged(1_060, "雨 が 降り 家 に いた 。", "雨 が 降った 。", "家 に いた 。"), category="Changes Near Split"
    ),
]
DUPLICATES = {5, 700, 1_029}
"""Positions that the division rejects."""


def divided(folder: Path, cut: int) -> "Divided":
    """Write the pairs in two shards, with places."""
    from tasks.divide import Divided

    places = [
        Place(subset="train", rejected_by="duplicate of test" if position in DUPLICATES else None)
        for position in range(len(PAIRS))
    ]
    paths = [[folder / name / f"{cut}-{number}.parquet" for number in range(2)] for name in ("judged", "divided")]
    for number, part in enumerate((slice(cut), slice(cut, None))):
        shards.write(paths[0][number], JudgedPair, PAIRS[part])
        shards.write(paths[1][number], Place, places[part])
    return Divided(*paths)


def test_examples_are_drawn_from_kept_pairs_whatever_the_cut_into_shards(tmp_path: Path) -> None:
    from tasks.export import UNREAD, _examples

    cuts = [divided(tmp_path, cut) for cut in (1_010, 20)]
    one, other = (_examples(cut, cut.draw(BISECT, 1, label="category", each=EXAMPLES)) for cut in cuts)
    assert one == other
    assert {category: len(pairs) for category, pairs in one.items()} == {
        "Direct Insertion": 10, "Changes Near Split": 1, "Changes Across Sentence": 0,
    }  # fmt: skip
    kept = {pair.pair.id: pair for position, pair in enumerate(PAIRS) if position not in DUPLICATES}
    for pair in (pair for pairs in one.values() for pair in pairs):
        parse = replace(kept[pair.pair.id].scored.parsed.long, **dict.fromkeys(UNREAD, ()))
        assert pair.rejected_by is None
        assert (pair.pair, pair.scored.parsed.long) == (kept[pair.pair.id].pair, parse)


def test_the_inspector_has_all_pairs_of_a_small_build_with_what_rejects_them(tmp_path: Path) -> None:
    pairs = divided(tmp_path, 20)
    inspected, unique = page.Sample(BISECT.view, pairs.draw(BISECT, page.LIMIT)), Unique()
    list(watched(pairs.read(BISECT, schema(Row)), inspected, unique))
    found = [json.loads(text) for text in inspected.rows]
    assert [one["id"] for one in found] == [one.pair.id for one in PAIRS]
    reasons = [one["rejected_by"] for one in found]
    assert {position for position, reason in enumerate(reasons) if reason == "duplicate of test"} == DUPLICATES
    assert reasons.count("overlap") == 30
    assert unique.plain() == {"long": 1_028, "split": 2}
