"""A stretch of a sentence that the other side does not say, found by BERTScore's matching, span by span.

Not a filter of the paper. The paper's BERTScore compares both halves together, and one good half compensates for one
that belongs to another sentence: 34 to 45 % of such pairs reach its threshold. A mean over a sentence hides a clause
in the same way. Here each span of 35 letters, about six words, counts by itself: of each half, against `long`; of
`long`, against both halves. Each token counts by its letters, to the same end as IDF weights in BERTScore: *of* and
*the* match anything, and say little.
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
"""A text, and the texts that may say the same."""


class MeaningFilter(EncoderFilter):
    """The mean similarity of 35 letters in a row to the nearest tokens of the other side; the weakest span counts."""

    MEANING_ROLE: ClassVar = "compared"
    IN_EXAMPLES: ClassVar = True
    PARTS: ClassVar = ("first", "second", "long")

    min_similarity: float | None = Field(default=None, title="Minimum similarity", ge=-1, le=1)
    """Minimum similarity of each span. Empty: the threshold measured for the encoder."""

    @model_validator(mode="after")
    def _check_threshold(self) -> Self:
        """Raise ValueError for an encoder without a measured threshold."""
        if self.min_similarity is None and not (
            self._uses_default_layer and "min_span" in self._defaults
        ):
            raise ValueError(
                f"No minimum similarity of a span is known for the encoder {self.model!r} with this layer. "
                "Give `min_similarity`, or choose the preset `paper`, which does not need it."
            )
        return self

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum similarity, also where it is the measured one."""
        return {
            "min_similarity": float(self._defaults["min_span"])
            if self.min_similarity is None
            else self.min_similarity
        }

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the similarity of the least similar span of both halves and of `long`, to 1e-6, for each key."""
        comparisons: list[_Comparison] = []  # the three of each pair
        for long, first, second in map(json.loads, keys):
            comparisons += [(first, (long,)), (second, (long,)), (long, (first, second))]
        spans = self.encoder(runtime).weakest_spans(comparisons, runtime.threads)
        numbers = [round(number, _DIGITS) for number in spans]
        of_pairs = zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
        return [list(row) for row in of_pairs]

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest, layer, letters of a span and library. Raises SettingsError without the model."""
        checkpoint = self.checkpoint()
        model = f"{checkpoint.name} {checkpoint.digest} layer={checkpoint.layer}"
        return f"meaning {model} letters={SPAN} {self.precision(runtime.device)} {library_version(runtime.device)}"
