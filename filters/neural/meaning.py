"""Reject pairs in which a part of a sentence has no counterpart on the other side.

The filter uses BERTScore's matching for each span of 35 letters, about six words. It is not part of the paper. The
paper's BERTScore compares both halves together, and so a good half compensates for a half that belongs to another
sentence: 34 to 45 % of such pairs reach the threshold. In the same way, a mean over a sentence hides a wrong
clause.

Here, each span counts by itself: spans of each half are compared with the long sentence, and spans of the long
sentence with both halves. Tokens are weighted by their letters. Like IDF weights in BERTScore, this reduces the
influence of *of* and *the*, which match anything and mean little.
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
"""A text whose spans are compared, and the texts they are compared with."""


class MeaningFilter(EncoderFilter):
    """The similarity of the weakest span of 35 letters to the nearest tokens on the other side."""

    MEANING_ROLE: ClassVar = "compared"
    IN_EXAMPLES: ClassVar = True
    PARTS: ClassVar = ("first", "second", "long")

    min_similarity: float | None = Field(default=None, title="Minimum similarity", ge=-1, le=1)
    """Minimum similarity of each span of 35 letters. If it is empty, the threshold that was measured for the
    encoder is used."""

    @model_validator(mode="after")
    def _check_threshold(self) -> Self:
        """Raise ValueError if no threshold is set and none was measured for the encoder."""
        if self.min_similarity is None and not (
            self._uses_default_layer and "min_span" in self._defaults
        ):
            raise ValueError(
                f"There is no measured minimum similarity for the encoder {self.model!r} with this layer. "
                "Set `min_similarity`, or choose the preset `paper`, which does not need it."
            )
        return self

    def thresholds(self) -> dict[str, Any]:
        """Return the minimum similarity: from the settings, otherwise as measured for the encoder."""
        return {
            "min_similarity": float(self._defaults["min_span"])
            if self.min_similarity is None
            else self.min_similarity
        }

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the similarity of the weakest span of each sentence, for the pair in each key.

        A span of a half is compared with the long sentence, and a span of the long sentence with both halves.
        """
        comparisons: list[_Comparison] = []  # three per pair
        for long, first, second in map(json.loads, keys):
            comparisons += [(first, (long,)), (second, (long,)), (long, (first, second))]
        spans = self.encoder(runtime).weakest_spans(comparisons, runtime.threads)
        numbers = [round(number, _DIGITS) for number in spans]
        of_pairs = zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
        return [list(row) for row in of_pairs]

    def signature(self, runtime: Runtime) -> str:
        """Return a string of everything that can change a result, such as the model and layer.

        Raises SettingsError if the model does not exist.
        """
        checkpoint = self.checkpoint()
        model = f"{checkpoint.name} {checkpoint.digest} layer={checkpoint.layer}"
        return f"meaning {model} letters={SPAN} {self.precision(runtime.device)} {library_version(runtime.device)}"
