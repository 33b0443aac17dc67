"""Find a part of a sentence that has no counterpart on the other side of the split.

The filter uses BERTScore's matching for each span of 35 letters, about six words. It is not part of the
paper. The paper's BERTScore compares both halves together, and a good half compensates for a half that
belongs to another sentence: 34 to 45 % of such pairs reach its threshold. In the same way, a mean over a
sentence hides a wrong clause.

Here, each span counts by itself: spans of each half are compared with `long`, and spans of `long` with both
halves. Tokens are weighted by their letters. Like IDF weights in BERTScore, this reduces the influence of
*of* and *the*, which match anything and mean little.
"""

import json
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.encoder_filter import EncoderFilter
from bitext_pivot.filters.neural.matching import SPAN
from bitext_pivot.filters.neural.precision import library_version

_DIGITS = 6
_Comparison = tuple[str, tuple[str, ...]]
"""A text, and the texts it is compared with."""


class MeaningFilter(EncoderFilter):
    """Mean similarity of the weakest span of 35 letters to the nearest tokens on the other side."""

    MEANING_ROLE: ClassVar = "compared"
    IN_EXAMPLES: ClassVar = True
    PARTS: ClassVar = ("first", "second", "long")

    min_similarity: float | None = Field(default=None, title="Minimum similarity", ge=-1, le=1)
    """Minimum similarity of each span. If it is empty, the threshold measured for the encoder is used."""

    @model_validator(mode="after")
    def _check_threshold(self) -> Self:
        """Raise ValueError if the threshold is missing and none was measured for the encoder."""
        if self.min_similarity is None and not (
            self._uses_default_layer and "min_span" in self._defaults
        ):
            raise ValueError(
                f"There is no measured minimum similarity for the encoder {self.model!r} with this layer. "
                "Set `min_similarity`, or choose the preset `paper`, which does not need it."
            )
        return self

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum similarity, including one measured for the encoder."""
        return {
            "min_similarity": float(self._defaults["min_span"])
            if self.min_similarity is None
            else self.min_similarity
        }

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the similarity of the weakest span in each half and in `long`, for each key."""
        comparisons: list[_Comparison] = []  # three per pair
        for long, first, second in map(json.loads, keys):
            comparisons += [(first, (long,)), (second, (long,)), (long, (first, second))]
        spans = self.encoder(runtime).weakest_spans(comparisons, runtime.threads)
        numbers = [round(number, _DIGITS) for number in spans]
        of_pairs = zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
        return [list(row) for row in of_pairs]

    def signature(self, runtime: Runtime) -> str:
        """Return the model, digest, layer, length of a span, number format and library, as a string.

        Raises SettingsError if the model does not exist.
        """
        checkpoint = self.checkpoint()
        model = f"{checkpoint.name} {checkpoint.digest} layer={checkpoint.layer}"
        return f"meaning {model} letters={SPAN} {self.precision(runtime.device)} {library_version(runtime.device)}"
