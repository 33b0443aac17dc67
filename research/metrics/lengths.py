"""Lengths of outputs as in BiSECT's Table 5, and new words.

Words are those of FKGL, and in English so are sentences; tokens are those of SARI.
"""

from collections import Counter
from collections.abc import Sequence

from bitext_pivot.research.metrics.base import Corpus, OutputMetric
from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.texts import joined, lowered, punkt_sentences, sentences, tokens


class SentenceLength(OutputMetric):
    """Words per sentence (SLen)."""

    name = "SLen"
    scale = 1

    def __init__(self, corpus: Corpus, tokenizer: Tokenizer, language: str = "en") -> None:
        self._language = language
        super().__init__(corpus, tokenizer)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return words and sentences."""
        text = " ".join(lowered(output, self._tokenizer))
        found = (
            punkt_sentences(text)
            if self._language == "en"
            else sentences(joined(output), self._language)
        )
        return [len(tokens(text, self._tokenizer)), len(found)]


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
