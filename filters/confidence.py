"""Reject translations that the engine itself considers improbable.

This filter is not in the BiSECT paper. An engine assigns low probabilities to its output if it does not know the words
or cannot follow the sentence. The confidence of a text is the geometric mean of the probabilities of the pieces in its
translation, as a MarianMT model computes them. The filter finds errors that a comparison of the two sides misses, but
not the errors a model is sure of. `benchmarks/confidence.py` compares it with translations that were read one by one.

Probabilities depend on the model, so a threshold is measured for each model (translation/models.toml). For a model
without a measured threshold, the filter rejects nothing until the user sets one. Existing pairs and the translations of
some engines have no confidence scores, and pass.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class ConfidenceFilter(RuleFilter):
    """The engine's confidence in its translation of a pair, for the least certain text."""

    IN_EXAMPLES: ClassVar = True
    UNMEASURED: ClassVar[str] = "no confidence scores"
    min_confidence: float | None = Field(default=None, title="Minimum confidence", ge=0, le=1)
    """Minimum confidence of each translated text. If it is empty, the threshold that was measured for the model is
    used; without a measured threshold, all pairs pass."""

    def measure(self, pair: View) -> float | None:
        """Return the lowest confidence, from 0 to 1, or None if the pair has no confidence scores."""
        return min(pair.confidences, default=None)
