"""Lengths of sentences and outputs as in BiSECT's Table 5, and the share of new words.

Words and English sentences are counted in the same way as for FKGL, and tokens in the same way as for SARI.
"""

from collections import Counter
from collections.abc import Sequence

from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.metric import EvaluationCorpus, OutputMetric
from bitext_pivot.research.metrics.segmentation import (
    joined,
    lowered,
    punkt_sentences,
    sentences,
    tokens,
)


class SentenceLength(OutputMetric):
    """Mean number of words per sentence of the outputs (SLen)."""

    name = "SLen"
    scale = 1

    def __init__(
        self, corpus: EvaluationCorpus, tokenizer: Tokenizer, language: str = "en"
    ) -> None:
        self._language = language
        super().__init__(corpus, tokenizer)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the number of words and the number of sentences of one output."""
        text = " ".join(lowered(output, self._tokenizer))
        split = (
            punkt_sentences(text)
            if self._language == "en"
            else sentences(joined(output), self._language)
        )
        return [len(tokens(text, self._tokenizer)), len(split)]


class OutputLength(OutputMetric):
    """Mean number of tokens per output (OLen)."""

    name = "OLen"
    scale = 1

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the number of tokens of one output, and 1, the number of outputs."""
        return [len(tokens(output, self._tokenizer)), 1]


class NewWords(OutputMetric):
    """Mean share of the tokens of an output that are not in its source, in percent (%new).

    Occurrences of a token beyond those in the source count as new.
    """

    name = "%new"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the share of new tokens in one output, and 1, the number of outputs."""
        words = Counter(lowered(output, self._tokenizer))
        new = (words - Counter(lowered(source, self._tokenizer))).total()
        return [new / words.total() if words else 0.0, 1]
