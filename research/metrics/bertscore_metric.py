"""BERTScore F1 (Zhang et al. 2020) of outputs, from scores that an encoder computed beforehand."""

from collections.abc import Mapping, Sequence

from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.segmentation import joined


class BertScore(SegmentMetric):
    """Mean, over all outputs, of BERTScore F1 with the best reference, from 0 to 100."""

    name = "BERTScore"

    def __init__(
        self,
        corpus: EvaluationCorpus,
        scores: Mapping[tuple[str, str], float],
        described: Mapping[str, str],
    ) -> None:
        """Store the F1 of each pair (output, reference), whose texts have no separators.

        `described` names the encoder and is added to the signature of the metric.
        """
        self._scores = scores
        super().__init__(corpus, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the F1 of one output with its best reference, and 1, the number of outputs."""
        return [max(self._scores[joined(output), joined(reference)] for reference in references), 1]
