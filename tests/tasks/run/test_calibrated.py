"""Where the minimum confidence of a build comes from: the form, the model's own, or nowhere."""

from typing import Any

import pytest

from bitext_pivot.filters.chain import Filters
from bitext_pivot.flows.pivot_settings import PivotBitext

UNKNOWN = "marian some-model@0123456789abcdef direction=fr-en"
QUICKSTART = "marian copied@371e9f1f1faf56f1 direction=fr-en"


def chain(confidence: dict[str, Any]) -> Filters:
    return Filters.model_validate({"advanced": {"confidence": confidence}})


@pytest.mark.parametrize(
    ("filters", "translation", "engine", "minimum", "origin"),
    [
        (chain({"min_confidence": 0.25}), {}, UNKNOWN, 0.25, "0.25: set"),
        (chain({"min_confidence": 0.25}), {}, QUICKSTART, 0.25, "0.25: set"),
        (chain({}), {}, QUICKSTART, 0.65, "0.65: measured for the model"),
        (chain({}), {}, UNKNOWN, None, "not filtered: no minimum is measured for the model"),
        (chain({}), {"engine": "echo"}, "echo", None, "not filtered: the engine echo has no minimum"),
        (Filters(preset="paper"), {}, UNKNOWN, None, "not filtered"),
    ],
)  # fmt: skip
def test_the_threshold_and_its_origin(
    filters: Filters,
    translation: dict[str, Any],
    engine: str,
    minimum: float | None,
    origin: str,
) -> None:
    form = PivotBitext(pivot="fr", corpora=["Tiny/v1"], translation=translation, filters=filters)
    decided = form.processing().calibrated(engine)
    assert (decided.filters.advanced.confidence.min_confidence, decided.min_confidence) == (
        minimum,
        origin,
    )
    accepts = decided.filters.advanced.confidence.accepts
    assert accepts(0.0) is (minimum is None)
