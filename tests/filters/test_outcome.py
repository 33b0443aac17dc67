"""What the outcome of judged pairs says of a build."""

from collections import Counter
from dataclasses import replace

import pytest
from factories import unparsed

from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.outcome import summarise_outcome

FILTERS = Filters.model_validate({"advanced": {"confidence": {"min_confidence": 0.5}}})


def judged(rejected_by: str | None, confidence: float | None) -> JudgedPair:
    scores = {} if confidence is None else {"confidence": confidence}
    scored = ScoredPair(parsed=unparsed("a b", "a", "b"), scores=scores)
    return JudgedPair(
        scored=scored, rejected_by=rejected_by, category="Direct Insertion", category_bisect="Direct Insertion",
        construction="other", split_at=None,
    )  # fmt: skip


def pairs(kept: int, rejected: int, confidence: float | None) -> list[JudgedPair]:
    return [judged(None, confidence)] * kept + [judged("overlap", confidence)] * rejected


@pytest.mark.parametrize(
    ("sample", "skips", "warning"),
    [
        (pairs(30, 10, 0.8), {}, ""),
        (pairs(30, 10, None), {}, ""),
        (pairs(30, 10, 0.4), {}, "The translations look poor: 100% of the pairs have a confidence below 0.5"),
        (pairs(5, 30, 0.8), {},
            "Few pairs pass: 5 of 35 alignments give a pair that passes; the most frequent reason is overlap (30)"),
        (pairs(10, 0, 0.8), {"empty translation": 90},
            "Few pairs pass: 10 of 100 alignments give a pair that passes; "
            "the most frequent reason is empty translation (90)"),
        (pairs(0, 30, 0.1), {}, "The translations look poor: 100% of the pairs have a confidence below 0.5; "
            "0 of 30 alignments give a pair that passes"),
        (pairs(0, 6, 0.1), {}, ""),
        ([], {}, ""),
    ],
)  # fmt: skip
def test_poor_translations_and_strict_thresholds_are_told_apart(
    sample: list[JudgedPair], skips: dict[str, int], warning: str
) -> None:
    found = summarise_outcome(sample, Counter(skips), FILTERS, 0.79)
    assert found.warning.partition(". ")[0].rstrip(".") == warning
    assert found.warning[-1:] in ("", ".")
    assert found.alignments == len(sample) + sum(skips.values())


def test_counts_and_medians_add_up() -> None:
    sample = [*pairs(2, 1, 0.9), judged("names", 0.3)]
    found = summarise_outcome(sample, Counter({"empty translation": 3}), FILTERS, 0.79)
    not_kept = {"empty translation": 3, "overlap": 1, "names": 1}
    assert (found.alignments, found.kept, found.not_kept) == (7, 2, not_kept)
    assert found.confidence == 0.9
    assert summarise_outcome(pairs(1, 1, None), Counter(), Filters(), 0.79).confidence is None


@pytest.mark.parametrize(("made_up", "is_said"), [(2, False), (3, True), (40, True)])
def test_a_model_that_makes_up_words_is_named_first(made_up: int, is_said: bool) -> None:
    sample = [
        replace(pair, scored=replace(pair.scored, scores={"invented": number, "confidence": 0.4}))
        for pair, number in zip(pairs(40, 0, 0.4), [1.0] * made_up + [0.0] * 40, strict=False)
    ]
    warning = summarise_outcome(sample, Counter(), FILTERS, 0.79).warning
    assert warning.startswith("The translations look poor: this model makes up words") is is_said
    assert "100% of the pairs have a confidence below 0.5" in warning


def test_a_model_without_a_minimum_has_its_median_beside_that_of_good_translations() -> None:
    warning = summarise_outcome(pairs(40, 0, 0.42), Counter(), Filters(), 0.79).warning
    assert "median is 0.42; for good translations by" in warning and "min_confidence" in warning
    assert summarise_outcome(pairs(40, 0, None), Counter(), Filters(), 0.79).warning == ""
