"""What judged pairs say of a build: its yield by filter, and whether its translations look poor."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.filters.chain import Filters

_FEWEST = 20  # pairs; fewer say nothing
_MOST_POOR = 0.5
_MOST_INVENTED = 0.05
"""Share of rows with words that exist nowhere. A commercial system had none of 1,059 rows of news, an older one 3 and
people 2 of 1,000; the quickstart's model 9 % in Europarl and 26 % in news (benchmarks/results/invented.md)."""
_LEAST_KEPT = 1 / 3
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
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


def summarise_outcome(
    judged: Sequence[JudgedPair],
    skips: Counter[str],
    filters: Filters,
    good: float,
) -> BuildOutcome:
    """Return the outcome of pairs, and of the alignments that were skipped before they were pairs.

    `good` is the median confidence of good translations of a model that was measured, to compare with.
    """
    lost = skips + Counter(pair.rejected_by for pair in judged if pair.rejected_by is not None)
    alignments = len(judged) + skips.total()
    kept = alignments - lost.total()
    scores = [pair.scored.scores.get("confidence") for pair in judged]
    confidences = [score for score in scores if score is not None]
    minimum = filters.thresholds().get("confidence", {}).get("min_confidence")
    median_confidence = _median(confidences)
    poor = [*filter(None, [_made_up(judged), _unsure(confidences, minimum)])]
    warnings = [_warning(poor, kept, alignments, lost)]
    if "confidence" in filters.active() and minimum is None and median_confidence is not None:
        warnings.append(
            "No minimum confidence is measured for this model, and nothing is rejected by it: the median is "
            f"{median_confidence:.2f}, {good:g} of good translations of the quickstart's model. Set "
            "--filters.advanced.confidence.min_confidence."
        )
    return BuildOutcome(
        alignments=alignments,
        kept=kept,
        lost=dict(lost.most_common()),
        confidence=median_confidence,
        warning=" ".join(filter(None, warnings)) if alignments >= _FEWEST else "",
    )


def _warning(poor: Sequence[str], kept: int, alignments: int, lost: Counter[str]) -> str:
    """Return why translations look poor, or else where most pairs are lost if few are kept."""
    is_low = kept < _LEAST_KEPT * alignments
    yielded = f"{kept} of {alignments} alignments give a pair that passes"
    if poor:
        return f"translations look poor: {'; '.join([*poor, yielded] if is_low else poor)}."
    if not is_low:
        return ""
    ((name, number),) = lost.most_common(1)
    return (
        f"few pairs pass: {yielded}, {number} are lost at {name}. "
        "The translations are poor, the sides differ, or a threshold is too strict."
    )


def _made_up(judged: Sequence[JudgedPair]) -> str:
    """Return which share of the pairs has words that exist nowhere if it is large, otherwise ""."""
    numbers = [
        pair.scored.scores["invented"] for pair in judged if "invented" in pair.scored.scores
    ]
    share = sum(number > 0 for number in numbers) / max(len(numbers), 1)
    if share <= _MOST_INVENTED:
        return ""
    return f"this model makes up words, {share:.0%} of the pairs have some"


def _unsure(confidences: Sequence[float], minimum: float | None) -> str:
    """Return which share of the confidences is below the minimum if it is large, otherwise ""."""
    if minimum is None or not confidences:
        return ""
    share = sum(number < minimum for number in confidences) / len(confidences)
    return f"{share:.0%} have a confidence below {minimum:g}" if share > _MOST_POOR else ""


def _median(numbers: Sequence[float]) -> float | None:
    return round(median(numbers), _DIGITS) if numbers else None
