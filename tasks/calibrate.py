"""Calibrate: the threshold of the filter `confidence` where the form leaves it empty."""

from dataclasses import replace
from typing import Any

from bitext_pivot.tasks.run.models import Processing
from bitext_pivot.translation.models import min_confidence


def calibrated(form: Any, engine: str) -> tuple[Processing, str]:
    """Return the processing settings of a form with a minimum confidence, if one is known, and where it comes from.

    `engine` is the engine's signature. Without a minimum, confidence is scored and rejects nothing.
    """
    processing = Processing.of(form)
    filters, translation = processing.filters, processing.translation
    active, confidence = filters.active(), filters.advanced.confidence
    if "confidence" not in active:
        return processing, "not filtered"
    if confidence.min_confidence is not None:
        return processing, f"{confidence.min_confidence:g}: set"
    minimum = min_confidence(engine)
    if minimum is None:
        what = "no minimum is measured for the model" if translation.has_model else f"none for {translation.engine}"
        judge = "adequacy judges" if "adequacy" in active else "nothing judges"
        return processing, f"not filtered: {what}; {judge} the translations"
    filters = filters.changed(confidence={"min_confidence": minimum})
    return replace(processing, filters=filters), f"{minimum:g}: measured for the model"
