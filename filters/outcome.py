"""Summarise how many pairs each filter rejects, and whether the translations look poor."""

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

In news, 3 of 1,000 pairs by an older system had invented words, 2 of 1,000 by human translators, and none of 1,059
by a commercial system. The quickstart's model has them in 9 % of Europarl and 26 % of news
(benchmarks/results/invented.md)."""
_MIN_KEPT = 1 / 3  # share of kept pairs; with less, there is a warning
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """How many alignments of a build or a trial became accepted pairs, and why others did not."""

    alignments: int
    """Number of alignments in the build or trial, including those that were skipped."""
    kept: int
    not_kept: dict[str, int]
    """Number of alignments without an accepted pair, by skip reason or rejecting filter, the most frequent first."""
    confidence: float | None
    """Median confidence of the engine in the pairs, or None without confidence scores."""
    warning: str
    """A sentence on why the translations look poor or few pairs are accepted, or ""."""


def summarise_outcome(
    judged: Sequence[JudgedPair],
    skips: Counter[str],
    filters: Filters,
    *,
    measured: float | None,
) -> BuildOutcome:
    """Summarise judged pairs and, by reason, the alignments that were skipped before judging.

    `measured` is the minimum confidence that was measured for the model, or None. Whether the translations look
    poor depends on `measured`, not on the minimum that the user set.
    """
    not_kept = skips + Counter(pair.rejected_by for pair in judged if pair.rejected_by is not None)
    alignments = len(judged) + skips.total()
    kept = alignments - not_kept.total()
    scores = [pair.scored.scores.get("confidence") for pair in judged]
    confidences = [score for score in scores if score is not None]
    minimum = filters.thresholds().get("confidence", {}).get("min_confidence")
    median_confidence = _median(confidences)
    invented = _invented_share(judged)
    poor = []
    if invented is not None and invented > _MAX_INVENTED:
        poor.append(f"this model makes up words, in {invented:.0%} of the pairs")
    if measured is not None and _share_below(measured, confidences) > _MAX_UNSURE:
        share = _share_below(measured, confidences)
        poor.append(f"{share:.0%} of the pairs have a confidence below {measured:g}")
    note = ""
    if "confidence" in filters.active() and confidences:
        if measured is None:
            note = _describe_unmeasured(minimum, invented)
        else:
            note = _describe_cost(minimum, measured, judged)
    warnings = [_describe_yield(poor, kept, alignments, not_kept, note), note]
    return BuildOutcome(
        alignments=alignments,
        kept=kept,
        not_kept=dict(not_kept.most_common()),
        confidence=median_confidence,
        warning=" ".join(filter(None, warnings)) if alignments >= _MIN_ALIGNMENTS else "",
    )


def _describe_yield(
    poor: Sequence[str], kept: int, alignments: int, not_kept: Counter[str], note: str
) -> str:
    """Return why the translations look poor or few pairs are accepted, or "" if neither is true.

    `note` is the message about the minimum confidence that follows.
    """
    is_low = kept < _MIN_KEPT * alignments
    yielded = f"{kept} of {alignments} alignments give a pair that passes"
    if poor:
        return f"The translations look poor: {'; '.join([*poor, yielded] if is_low else poor)}."
    if not is_low:
        return ""
    ((name, number),) = not_kept.most_common(1)
    reason = f"Few pairs pass: {yielded}; the most frequent reason is {name} ({number})."
    if name == "confidence" and note:
        return reason
    return (
        f"{reason} The translations are poor, the two sides differ, or a threshold is too strict."
    )


def _invented_share(judged: Sequence[JudgedPair]) -> float | None:
    """Return the share of pairs with invented words, or None if `invented` measured no pair."""
    scores = [pair.scored.scores.get("invented") for pair in judged]
    numbers = [score for score in scores if score is not None]
    return sum(number > 0 for number in numbers) / len(numbers) if numbers else None


def _share_below(minimum: float, confidences: Sequence[float]) -> float:
    return sum(confidence < minimum for confidence in confidences) / max(len(confidences), 1)


def _describe_unmeasured(minimum: float | None, invented: float | None) -> str:
    """Return the note that no minimum confidence was measured for the translation model.

    `minimum` is the minimum that the filter `confidence` uses although it was not measured, or None. `invented` is the
    share of pairs with invented words, or None if it is unknown.
    """
    effect = "the filter confidence rejects nothing"
    if minimum is not None:
        effect = f"min_confidence {minimum:g} is not calibrated"
    words = "" if invented is None else f" {invented:.0%} of the pairs have invented words."
    return f"No minimum confidence was measured for this model, so {effect}.{words} Read some of the pairs."


def _describe_cost(minimum: float | None, measured: float, judged: Sequence[JudgedPair]) -> str:
    """Describe how many pairs a minimum above the measured one rejects in addition, or ""."""
    if minimum is None or minimum <= measured:
        return ""
    cost = sum(
        pair.rejected_by == "confidence" and pair.scored.scores["confidence"] >= measured
        for pair in judged
    )
    return (
        f"min_confidence {minimum:g} rejects {cost} of {len(judged)} pairs that the minimum measured for this model, "
        f"{measured:g}, accepts."
    )


def _median(numbers: Sequence[float]) -> float | None:
    return round(median(numbers), _DIGITS) if numbers else None
