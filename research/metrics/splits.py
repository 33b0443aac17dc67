"""Metrics of how many sentences an output has, and of whether these sentences follow from the source.

If any output of a system contains a separator such as `<SEP>`, the system's outputs are split at separators only.
Otherwise Punkt and the rules of the language find the sentences (`segmentation.sentences`).
"""

from collections.abc import Mapping, Sequence

from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.segmentation import has_separator, parts, sentences


def split_outputs(outputs: Sequence[str], language: str) -> list[list[str]]:
    """Return the sentences of each output of one system."""
    if any(map(has_separator, outputs)):
        return [parts(output) for output in outputs]
    return [sentences(output, language) for output in outputs]


class SplitMetric(SegmentMetric):
    """A metric computed on the sentences of an output."""

    def __init__(
        self,
        corpus: EvaluationCorpus,
        language: str = "en",
        described: Mapping[str, str] | None = None,
    ) -> None:
        self._is_separated = False
        self._language = language
        stated = {"sentences": "separators or punkt", "lang": language}
        super().__init__(corpus, {**stated, **(described or {})}, has_references=False)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[float]]:
        self._is_separated = any(map(has_separator, hypotheses))
        rows: list[list[float]] = super()._extract_corpus_statistics(hypotheses, references)
        return rows

    def sentences(self, output: str) -> list[str]:
        """Return the sentences of an output, split like all outputs of the system being scored."""
        return parts(output) if self._is_separated else sentences(output, self._language)


class OneSplitShare(SplitMetric):
    """Share of outputs with exactly two sentences, in percent: the task of BiSECT and WikiSplit."""

    name = "%one split"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return 1 if the output has two sentences, otherwise 0; and 1, the number of outputs."""
        return [len(self.sentences(output)) == 2, 1]


class UnsplitShare(SplitMetric):
    """Share of outputs with a single sentence, in percent."""

    name = "%unsplit"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return 1 if the output has one sentence, otherwise 0; and 1, the number of outputs."""
        return [len(self.sentences(output)) == 1, 1]


class SentenceCount(SplitMetric):
    """Mean number of sentences per output."""

    name = "sentences"
    scale = 1

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the number of sentences of one output, and 1, the number of outputs."""
        return [len(self.sentences(output)), 1]


class EntailedShare(SplitMetric):
    """Share of output sentences that follow from their source, in percent (WikiSplit++, 2024)."""

    name = "%entailed"

    def __init__(
        self,
        corpus: EvaluationCorpus,
        follows: Mapping[tuple[str, str], bool],
        described: Mapping[str, str],
        language: str = "en",
    ) -> None:
        """Store, for each (source, sentence), whether a model found that the sentence follows.

        `described` names the model and is added to the signature of the metric.
        """
        self._follows = follows
        super().__init__(corpus, language, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return how many sentences of the output follow from its source, and how many it has."""
        answers = [self._follows[source, sentence] for sentence in self.sentences(output)]
        return [sum(answers), len(answers)]
