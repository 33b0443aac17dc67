"""Translations that the engine itself finds improbable: it did not know the words, or could not follow the sentence.

Not a filter of the paper. The confidence of a text is the geometric mean of the probabilities that a MarianMT model
gave the pieces of its translation; the text with the lowest one counts. It finds what a comparison of the two sides
misses, but not the errors that a model is sure of. `benchmarks/confidence.py` compares it with translations that were
read one by one.

Probabilities depend on the model, so each model has its own threshold, which is measured (translation/models.toml). For
another model the filter rejects nothing until the form gives one. Existing pairs, and translations of other engines,
may have no confidence, and pass.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class ConfidenceFilter(RuleFilter):
    """The engine's confidence in the text that it was least sure of."""

    IN_EXAMPLES: ClassVar = True
    UNMEASURED: ClassVar[str] = "not translated here"
    min_confidence: float | None = Field(default=None, title="Minimum confidence", ge=0, le=1)
    """Minimum confidence of each translated text. Empty: the threshold measured for the model, none for
    others."""

    def measure(self, pair: View) -> float | None:
        """Return the lowest confidence, from 0 to 1; None if it is unknown."""
        return min(pair.confidences, default=None)
