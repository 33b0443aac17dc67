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
    found = summarise_outcome(sample, Counter(skips), FILTERS, measured=0.5)
    assert found.warning.partition(". ")[0].rstrip(".") == warning
    assert found.warning[-1:] in ("", ".")
    assert found.alignments == len(sample) + sum(skips.values())


def test_counts_and_medians_add_up() -> None:
    sample = [*pairs(2, 1, 0.9), judged("names", 0.3)]
    found = summarise_outcome(sample, Counter({"empty translation": 3}), FILTERS, measured=0.5)
    not_kept = {"empty translation": 3, "overlap": 1, "names": 1}
    assert (found.alignments, found.kept, found.not_kept) == (7, 2, not_kept)
    assert found.confidence == 0.9
    bare = summarise_outcome(pairs(1, 1, None), Counter(), Filters(), measured=None)
    assert bare.confidence is None


@pytest.mark.parametrize(("made_up", "is_said"), [(2, False), (3, True), (40, True)])
def test_a_model_that_makes_up_words_is_named_first(made_up: int, is_said: bool) -> None:
    sample = [
        replace(pair, scored=replace(pair.scored, scores={"invented": number, "confidence": 0.4}))
        for pair, number in zip(pairs(40, 0, 0.4), [1.0] * made_up + [0.0] * 40, strict=False)
    ]
    warning = summarise_outcome(sample, Counter(), FILTERS, measured=0.5).warning
    assert warning.startswith("The translations look poor: this model makes up words") is is_said
    assert "100% of the pairs have a confidence below 0.5" in warning


@pytest.mark.parametrize("minimum", [None, 0.3, 0.5, 0.75, 0.97])
@pytest.mark.parametrize(("confidence", "is_poor"), [(0.42, True), (0.6, False), (0.9, False)])
def test_the_verdict_on_translations_does_not_depend_on_the_minimum_of_the_user(
    minimum: float | None, confidence: float, is_poor: bool
) -> None:
    filters = Filters.model_validate({"advanced": {"confidence": {"min_confidence": minimum}}})
    reason = "confidence" if confidence < (minimum or 0) else None
    sample = [*[judged(reason, confidence)] * 40, *pairs(0, 2, 0.9)]
    warning = summarise_outcome(sample, Counter(), filters, measured=0.5).warning
    assert is_poor or "translations are poor" not in warning
    assert warning.startswith("The translations look poor: 95% of the pairs") is is_poor
    cost = 40 if reason and not is_poor else 0
    words = f"min_confidence {minimum} rejects {cost} of 42 pairs that the minimum measured"
    assert (words in warning) is (minimum is not None and minimum > 0.5)


@pytest.mark.parametrize(
    ("minimum", "effect"),
    [
        (None, "the filter confidence rejects nothing"),
        (0.7, "min_confidence 0.7 is not calibrated"),
    ],
)
def test_of_a_model_without_a_measured_minimum_what_is_known_is_said(
    minimum: float | None, effect: str
) -> None:
    filters = Filters.model_validate({"advanced": {"confidence": {"min_confidence": minimum}}})
    sample = pairs(40, 0, 0.42)
    warning = summarise_outcome(sample, Counter(), filters, measured=None).warning
    assert effect in warning and "poor" not in warning and "invented" not in warning
    sample = [
        replace(pair, scored=replace(pair.scored, scores={"invented": 0.0, "confidence": 0.4}))
        for pair in sample
    ]
    warning = summarise_outcome(sample, Counter(), filters, measured=None).warning
    assert f"{effect}. 0% of the pairs have invented words. Read some" in warning
    assert summarise_outcome(pairs(40, 0, None), Counter(), filters, measured=None).warning == ""
