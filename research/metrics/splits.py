"""Into how many sentences outputs are split, and whether these follow from the source.

If any output of a system has a separator, its sentences are what the separators separate; otherwise those that Punkt
and the rules of the language find (`texts.sentences`).
"""

from collections.abc import Mapping, Sequence

from bitext_pivot.research.metrics.base import Corpus, SegmentMetric
from bitext_pivot.research.metrics.texts import has_separator, parts, sentences


def split_outputs(outputs: Sequence[str], language: str) -> list[list[str]]:
    """Return the sentences of each output of one system."""
    if any(map(has_separator, outputs)):
        return [parts(output) for output in outputs]
    return [sentences(output, language) for output in outputs]


class SplitMetric(SegmentMetric):
    """A metric of the sentences of outputs."""

    def __init__(
        self, corpus: Corpus, language: str = "en", described: Mapping[str, str] | None = None
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
        """Return the sentences of an output of the system that is scored."""
        return parts(output) if self._is_separated else sentences(output, self._language)


class OneSplit(SplitMetric):
    """Outputs of exactly two sentences, in percent, as BiSECT and WikiSplit define the task."""

    name = "%one split"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return 1 for an output that is split once, and 1."""
        return [len(self.sentences(output)) == 2, 1]


class Unsplit(SplitMetric):
    """Outputs of one sentence, in percent."""

    name = "%unsplit"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return 1 for an output of one sentence, and 1."""
        return [len(self.sentences(output)) == 1, 1]


class SentenceCount(SplitMetric):
    """Sentences per output."""

    name = "sentences"
    scale = 1

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return sentences and 1."""
        return [len(self.sentences(output)), 1]


class Entailed(SplitMetric):
    """Sentences of outputs that follow from their source, in percent (WikiSplit++, LREC-COLING 2024)."""

    name = "%entailed"

    def __init__(
        self,
        corpus: Corpus,
        follows: Mapping[tuple[str, str], bool],
        described: Mapping[str, str],
        language: str = "en",
    ) -> None:
        """`follows` are the answers of a model by (source, sentence); `described` names the model."""
        self._follows = follows
        super().__init__(corpus, language, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return sentences that follow, and sentences."""
        answers = [self._follows[source, sentence] for sentence in self.sentences(output)]
        return [sum(answers), len(answers)]
