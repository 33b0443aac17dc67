"""Lengths of outputs as in BiSECT's Table 5, and new words.

Sentences and words are those of FKGL, tokens those of SARI.
"""

from collections import Counter
from collections.abc import Sequence

from bitext_pivot.metrics.base import OutputMetric
from bitext_pivot.metrics.texts import lowered, sentences, tokens


class SentenceLength(OutputMetric):
    """Words per sentence (SLen)."""

    name = "SLen"
    scale = 1

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return words and sentences."""
        text = " ".join(lowered(output, self._tokenizer))
        return [len(tokens(text, self._tokenizer)), len(sentences(text))]


class OutputLength(OutputMetric):
    """Tokens per output (OLen)."""

    name = "OLen"
    scale = 1

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return tokens and 1."""
        return [len(tokens(output, self._tokenizer)), 1]


class NewWords(OutputMetric):
    """Mean share of tokens that the source does not have, counted with repetition, in percent (%new)."""

    name = "%new"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the share and 1."""
        words = Counter(lowered(output, self._tokenizer))
        new = (words - Counter(lowered(source, self._tokenizer))).total()
        return [new / words.total() if words else 0.0, 1]
