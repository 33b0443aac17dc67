"""Summarise judged pairs: how many each filter rejects, and whether the translations look poor."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.filters.chain import Filters

_MIN_ALIGNMENTS = 20  # with fewer alignments, there are no warnings
_MAX_UNSURE = (
    0.5  # share of pairs below the minimum confidence; with more, the translations look poor
)
_MAX_INVENTED = 0.05
"""Share of pairs with invented words above which the translations look poor.

In news, a commercial system had invented words in none of 1,059 pairs, an older system in 3 of 1,000 and human
translators in 2 of 1,000. The quickstart's model has them in 9 % of Europarl and 26 % of news
(benchmarks/results/invented.md).
"""
_MIN_KEPT = 1 / 3  # share of kept pairs; with less, there is a warning
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """How many alignments of a build or a trial gave a kept pair, and what went wrong."""

    alignments: int
    """Number of alignments, including those that were skipped."""
    kept: int
    not_kept: dict[str, int]
    """Number of alignments without a kept pair, by skip reason or filter, the most frequent first."""
    confidence: float | None
    """Median confidence of the pairs, or None if the engine does not return confidence scores."""
    warning: str
    """Why the translations look poor or few pairs pass, or ""."""


def summarise_outcome(
    judged: Sequence[JudgedPair],
    skips: Counter[str],
    filters: Filters,
    good: float,
) -> BuildOutcome:
    """Summarise judged pairs, and alignments that were skipped before they became pairs.

    `good` is the median confidence of good translations by a model that was measured, for comparison.
    """
    not_kept = skips + Counter(pair.rejected_by for pair in judged if pair.rejected_by is not None)
    alignments = len(judged) + skips.total()
    kept = alignments - not_kept.total()
    scores = [pair.scored.scores.get("confidence") for pair in judged]
    confidences = [score for score in scores if score is not None]
    minimum = filters.thresholds().get("confidence", {}).get("min_confidence")
    median_confidence = _median(confidences)
    poor = [
        *filter(
            None, [_describe_invented_words(judged), _describe_low_confidence(confidences, minimum)]
        )
    ]
    warnings = [_describe_yield(poor, kept, alignments, not_kept)]
    if "confidence" in filters.active() and minimum is None and median_confidence is not None:
        warnings.append(
            "No minimum confidence has been measured for this model, so the filter confidence rejects nothing. The "
            f"median is {median_confidence:.2f}; for good translations by the quickstart's model it is {good:g}. Set "
            "--filters.advanced.confidence.min_confidence."
        )
    return BuildOutcome(
        alignments=alignments,
        kept=kept,
        not_kept=dict(not_kept.most_common()),
        confidence=median_confidence,
        warning=" ".join(filter(None, warnings)) if alignments >= _MIN_ALIGNMENTS else "",
    )


def _describe_yield(poor: Sequence[str], kept: int, alignments: int, not_kept: Counter[str]) -> str:
    """Return why the translations look poor or, if few pairs are kept, the most frequent reason."""
    is_low = kept < _MIN_KEPT * alignments
    yielded = f"{kept} of {alignments} alignments give a pair that passes"
    if poor:
        return f"The translations look poor: {'; '.join([*poor, yielded] if is_low else poor)}."
    if not is_low:
        return ""
    ((name, number),) = not_kept.most_common(1)
    return (
        f"Few pairs pass: {yielded}; the most frequent reason is {name} ({number}). "
        "The translations are poor, the two sides differ, or a threshold is too strict."
    )


def _describe_invented_words(judged: Sequence[JudgedPair]) -> str:
    """Return a message if too many pairs contain invented words, otherwise ""."""
    numbers = [
        pair.scored.scores["invented"] for pair in judged if "invented" in pair.scored.scores
    ]
    share = sum(number > 0 for number in numbers) / max(len(numbers), 1)
    if share <= _MAX_INVENTED:
        return ""
    return f"this model makes up words, in {share:.0%} of the pairs"


def _describe_low_confidence(confidences: Sequence[float], minimum: float | None) -> str:
    """Return a message if too many confidence scores are below the minimum, otherwise ""."""
    if minimum is None or not confidences:
        return ""
    share = sum(confidence < minimum for confidence in confidences) / len(confidences)
    return (
        f"{share:.0%} of the pairs have a confidence below {minimum:g}"
        if share > _MAX_UNSURE
        else ""
    )


def _median(numbers: Sequence[float]) -> float | None:
    return round(median(numbers), _DIGITS) if numbers else None
