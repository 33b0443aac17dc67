"""BERTScore F1 (Zhang et al. 2020) of outputs, from numbers that an encoder has computed."""

from collections.abc import Mapping, Sequence

from bitext_pivot.research.metrics.base import Corpus, SegmentMetric
from bitext_pivot.research.metrics.texts import joined


class BertScore(SegmentMetric):
    """Mean over the outputs of the F1 with the best reference, 0 to 100."""

    name = "BERTScore"

    def __init__(
        self, corpus: Corpus, scores: Mapping[tuple[str, str], float], described: Mapping[str, str]
    ) -> None:
        """`scores` are F1 by (output, reference), both without separators; `described` names the encoder."""
        self._scores = scores
        super().__init__(corpus, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the best F1 and 1."""
        return [max(self._scores[joined(output), joined(reference)] for reference in references), 1]
