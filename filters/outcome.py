"""What judged pairs say of a build: its yield by filter, and whether its translations look poor."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.filters.chain import Filters

_FEWEST = 20  # pairs; fewer say nothing
_MOST_POOR = 0.5
_LEAST_KEPT = 1 / 3
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Counts and medians of some pairs."""

    alignments: int
    """Alignments that the pairs were made of."""
    kept: int
    lost: dict[str, int]
    """Alignments without a kept pair, by skip reason or filter, the most frequent first."""
    confidence: float | None
    """Median of the pairs' confidence; None if the engine gives none."""
    warning: str
    """Why the translations look poor; "" if they do not, or if there are too few to say so."""


def outcome_of(
    judged: Sequence[JudgedPair],
    skips: Counter[str],
    filters: Filters,
) -> Outcome:
    """Return the outcome of pairs, and of the alignments that were skipped before they were pairs."""
    lost = skips + Counter(pair.rejected_by for pair in judged if pair.rejected_by is not None)
    alignments = len(judged) + skips.total()
    kept = alignments - lost.total()
    scores = [pair.scored.scores.get("confidence") for pair in judged]
    confidences = [score for score in scores if score is not None]
    minimum = filters.thresholds().get("confidence", {}).get("min_confidence")
    problem = _poor(confidences, minimum, "have a confidence below")
    return Outcome(
        alignments=alignments,
        kept=kept,
        lost=dict(lost.most_common()),
        confidence=_median(confidences),
        warning=_warning(problem, kept, alignments, lost),
    )


def _warning(problem: str, kept: int, alignments: int, lost: Counter[str]) -> str:
    """Return why translations look poor, or else where most pairs are lost if few are kept."""
    if alignments < _FEWEST:
        return ""
    is_low = kept < _LEAST_KEPT * alignments
    yielded = f"{kept} of {alignments} alignments give a pair that passes"
    if problem:
        return f"translations look poor: {'; '.join([problem, yielded] if is_low else [problem])}."
    if not is_low:
        return ""
    ((name, number),) = lost.most_common(1)
    return (
        f"few pairs pass: {yielded}, {number} are lost at {name}. "
        "The translations are poor, the sides differ, or a threshold is too strict."
    )


def _poor(numbers: Sequence[float], minimum: float | None, what: str) -> str:
    """Return which share of the numbers is below a minimum if it is large, otherwise ""."""
    if minimum is None or not numbers:
        return ""
    share = sum(number < minimum for number in numbers) / len(numbers)
    return f"{share:.0%} {what} {minimum:g}" if share > _MOST_POOR else ""


def _median(numbers: Sequence[float]) -> float | None:
    return round(median(numbers), _DIGITS) if numbers else None
