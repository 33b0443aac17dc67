"""Calibrate: the threshold of the filter `confidence` where the form leaves it empty."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bitext_pivot.core.records import Pair
from bitext_pivot.core.storage import shards
from bitext_pivot.filters.chain import FilterChain
from bitext_pivot.translation.models import Translation, min_confidence


def calibrated(
    filters: FilterChain, translation: Translation, engine: str, pairs: Callable[[], Sequence[Path]]
) -> tuple[FilterChain, str]:
    """Return the filters with a minimum confidence, and where it comes from.

    `engine` is the engine's signature. `pairs` waits for all shards of pairs and returns them; it is called only if the
    threshold is a quantile of the build, which must not depend on the shards that are ready.
    """
    confidence = filters.advanced.confidence
    if "confidence" not in filters.active():
        return filters, "not filtered"
    if confidence.min_confidence is not None:
        return filters, f"{confidence.min_confidence:g}: set"
    if not translation.has_model:
        return filters, f"not filtered: {translation.engine} gives no confidence"
    minimum, origin = min_confidence(engine), "measured for the model"
    if minimum is None:
        lowest = sorted(min(texts) for path in pairs() for texts in shards.part(path, Pair, "confidences") if texts)
        minimum = lowest[int(confidence.quantile * len(lowest))] if lowest else 0.0
        origin = f"{100 * confidence.quantile:g} % quantile of the {len(lowest):,} pairs of this build"
    advanced = filters.advanced.model_copy(
        update={"confidence": confidence.model_copy(update={"min_confidence": minimum})}
    )
    return filters.model_copy(update={"advanced": advanced}), f"{minimum:.4g}: {origin}"
