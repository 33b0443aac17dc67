"""What the export does not read of the parses is in no file of a data set."""

from dataclasses import replace
from typing import Any

from factories import judged

from corpus.distributions import Distributions
from corpus.examples import Sample, examples
from corpus.inspector import page
from corpus.recipes.bisect import BISECT
from corpus.rows import row
from corpus.statistics import PairCounts
from pairs.records import JudgedPair, Parse
from tasks.export import UNREAD

PAIRS = [
    judged(1, "It rained , so we stayed .", "It rained .", "We slept ."),
    judged(2, "雨 が 降り 家 に いた 。", "雨 が 降った 。", "家 に いた 。"),
    judged(3, "Le café est fermé .", "Le café .", "Un .", rejected_by="verbs"),
]


def bare(parse: Parse) -> Parse:
    return replace(parse, **dict.fromkeys(UNREAD, ()))


def as_read(one: JudgedPair) -> JudgedPair:
    parsed = one.scored.parsed
    sides = replace(parsed, long=bare(parsed.long), split=(bare(parsed.split[0]), bare(parsed.split[1])))
    return replace(one, scored=replace(one.scored, parsed=sides))


def shown(pairs: list[JudgedPair]) -> list[Any]:
    """Return everything that a data set has of some pairs."""
    sample, distributions, inspected, counts = Sample(), Distributions(), page.Sample(BISECT.view), PairCounts()
    for one in pairs:
        for watcher in (sample, distributions, inspected, counts):
            watcher.add(one)
    rows = [row(one) if one.rejected_by is None else {**row(one), "rejected_by": one.rejected_by} for one in pairs]
    return [rows, examples("Pairs", sample), distributions.plain(), inspected.rows(), counts.plain()]


def test_a_data_set_is_the_same_without_the_columns_that_are_not_read() -> None:
    assert shown([as_read(one) for one in PAIRS]) == shown(PAIRS)
