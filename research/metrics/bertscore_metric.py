"""BERTScore F1 (Zhang et al. 2020) of outputs, from similarities computed beforehand by an encoder."""

from collections.abc import Mapping, Sequence

from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.segmentation import joined


class BertScore(SegmentMetric):
    """Mean of the F1 of each output with its best reference, 0 to 100."""

    name = "BERTScore"

    def __init__(
        self,
        corpus: EvaluationCorpus,
        scores: Mapping[tuple[str, str], float],
        described: Mapping[str, str],
    ) -> None:
        """Store `scores`, F1 by (output, reference) without separators; `described` names the encoder."""
        self._scores = scores
        super().__init__(corpus, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the F1 with the best reference, and 1 for the output."""
        return [max(self._scores[joined(output), joined(reference)] for reference in references), 1]
