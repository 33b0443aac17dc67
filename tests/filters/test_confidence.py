"""The engine's confidence as a score, with and without a threshold."""

from dataclasses import replace

import pytest
from factories import unparsed

from bitext_pivot.core.records import ParsedPair
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.confidence import ConfidenceFilter


def translated(*confidences: float) -> ParsedPair:
    parsed = unparsed("It rained and we left.", "It rained.", "We left.")
    return replace(parsed, pair=replace(parsed.pair, confidences=confidences))


@pytest.mark.parametrize(
    ("confidences", "score"), [((0.8,), 0.8), ((0.9, 0.4), 0.4), ((0.4, 0.9), 0.4), ((), None)]
)
def test_the_text_of_lowest_confidence_counts(
    confidences: tuple[float, ...], score: float | None
) -> None:
    assert ConfidenceFilter().score([translated(*confidences)]) == [score]


def test_a_pair_without_confidence_has_no_score_and_passes() -> None:
    filters = Filters.model_validate({"advanced": {"confidence": {"min_confidence": 1}}})
    (known,), (unknown,) = (filters.rule_scores([translated(*some)]) for some in ((0.9,), ()))
    assert known["confidence"] == 0.9 and "confidence" not in unknown
    assert unknown == {name: score for name, score in known.items() if name != "confidence"}


def test_the_threshold_is_part_of_the_key_of_scores() -> None:
    assert (
        ConfidenceFilter(min_confidence=0.5).score_settings() != ConfidenceFilter().score_settings()
    )
