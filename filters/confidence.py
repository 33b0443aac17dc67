"""Translations that the engine itself finds improbable: it did not know the words, or could not follow the sentence.

Not a filter of the paper. The confidence of a text is the geometric mean of the probabilities that a MarianMT model
gave the pieces of its translation; the text with the lowest one counts. It finds what a comparison of the two sides
misses, but not the errors that a model is sure of. `benchmarks/confidence.py` compares it with translations that were
read one by one.

Probabilities depend on the model, so each model has its own threshold. It is measured (translation/models.toml) or,
for a model that is not listed there, a quantile of the build itself: the pairs of lowest confidence are rejected. The
quantile is known when all texts are translated, so it is applied after scoring, and model-based filters run on these
pairs as well. Existing pairs, and those of Apertium, have no confidence and pass.
"""

from typing import Any

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class Confidence(RuleFilter):
    """The engine's confidence in the text that it was least sure of."""

    min_confidence: float | None = Field(default=None, title="Minimum confidence", ge=0, le=1)
    """Minimum confidence of each translated text. Empty: the threshold measured for the model, or the quantile."""
    quantile: float = Field(default=0.05, title="Quantile", ge=0, le=0.9)
    """Share of the build's pairs to reject, those of lowest confidence, if the threshold is empty and none was
    measured for the model."""

    def measure(self, pair: View) -> float | None:
        """Return the lowest confidence, from 0 to 1; None if it is unknown."""
        return min(pair.confidences, default=None)

    def measuring(self) -> dict[str, Any]:
        """Return the threshold; the quantile is applied after scoring."""
        return self.model_dump(mode="json", exclude={"quantile"})
