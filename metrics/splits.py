"""Share of outputs that are split exactly once: two sentences, as BiSECT and WikiSplit define the task."""

from collections.abc import Sequence

from bitext_pivot.metrics.base import Corpus, SegmentMetric
from bitext_pivot.metrics.texts import has_separator, parts, sentences


class OneSplit(SegmentMetric):
    """Outputs of exactly two sentences, in percent.

    If any output of a system has a separator, its sentences are what the separators separate; otherwise Punkt's.
    """

    name = "%one split"

    def __init__(self, corpus: Corpus) -> None:
        self._is_separated = False
        super().__init__(corpus, {"sentences": "separators or punkt"}, has_references=False)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[float]]:
        self._is_separated = any(map(has_separator, hypotheses))
        rows: list[list[float]] = super()._extract_corpus_statistics(hypotheses, references)
        return rows

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return 1 for an output that is split once, and 1."""
        return [len(parts(output) if self._is_separated else sentences(output)) == 2, 1]
