"""Counts of what was read of a corpus."""

from typing import Any

from factories import alignment

from bitext_pivot.alignments.statistics import count_links
from bitext_pivot.core.records import Alignment


def counted(*alignments: Alignment, **links: dict[str, int]) -> dict[str, Any]:
    groups: dict[str, Any] = (
        count_links("Tiny/v1", alignments, links).nested().get("links", {}).get("Tiny/v1", {})
    )
    return groups


def test_links_lengths_and_attributes_are_counted_by_group() -> None:
    some = [
        alignment("a " * n, "b", "c " * 150, certainty="0.5", id=str(n), tuid=str(n))
        for n in (9, 10, 19)
    ]
    assert counted(*some, shapes={"1-2": 3, "1-1": 7}) == {
        "shapes": {"1-1": 7, "1-2": 3},
        "tokens of one": {"000-009": 1, "010-019": 2},
        "tokens of first of two": {"000-009": 3},
        "tokens of second of two": {"100-": 3},
        "attribute certainty": {"0.5": 3},
    }


def test_numbers_are_rounded_to_two_digits_and_words_are_kept() -> None:
    values = ["0.8512", "0.85", "1234", "-0.0001", "-0", "nan", "inf", "1e400", "good"]
    groups = counted(*(alignment("a", "b", "c", score=value) for value in values))
    assert groups["attribute score"] == {
        "0.85": 2, "1200": 1, "-0.0001": 1, "0": 1, "nan": 1, "inf": 2, "good": 1
    }  # fmt: skip


def test_of_values_that_never_repeat_few_are_counted() -> None:
    groups = counted(*(alignment("a", "b", "c", name=f"n{number}") for number in range(1_000)))
    assert len(groups["attribute name"]) == 20


def test_nothing_counted_is_nothing() -> None:
    assert counted() == counted(shapes={}) == {}
