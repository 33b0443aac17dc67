"""GLEU of Wu et al. (2016, arXiv:1609.08144, section 5.1), which the BiSECT paper prints as BLEU and self-BLEU."""

from collections import Counter
from collections.abc import Sequence

from bitext_pivot.research.metrics.base import Corpus, OutputMetric, SegmentMetric
from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.ppdb import Paraphrases, rewritten
from bitext_pivot.research.metrics.texts import lowered, tokens

_ORDERS = range(1, 5)


def matches(output: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the shared n-grams (n = 1 to 4) and the larger total, of the reference with the best ratio.

    Their quotient is the minimum of precision and recall. Without any n-grams both are 0.
    """
    grams = _grams(output)
    pairs = [
        ((grams & reference).total(), max(grams.total(), reference.total()))
        for reference in map(_grams, references)
    ]
    return max(
        (pair for pair in pairs if pair[1]), key=lambda pair: pair[0] / pair[1], default=(0, 0)
    )


def _grams(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + n]) for n in _ORDERS for at in range(len(words) - n + 1))


class Gleu(SegmentMetric):
    """Corpus GLEU against the references, case-sensitive, 0 to 100."""

    name = "GLEU"

    def __init__(
        self, corpus: Corpus, tokenizer: Tokenizer, ppdb: Paraphrases | None = None
    ) -> None:
        self._tokenizer, self._ppdb = tokenizer, ppdb
        described = {"case": "mixed", "tok": tokenizer} | ({"ppdb": ppdb.digest} if ppdb else {})
        super().__init__(corpus, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the shared n-grams and the larger total."""
        words = tokens(output, self._tokenizer)
        others = [
            rewritten(tokens(line, self._tokenizer), words, self._ppdb) for line in references
        ]
        return list(matches(words, others))


class SelfGleu(OutputMetric):
    """Mean GLEU of each output against its source, lower case, 0 to 100 (self-BLEU in BiSECT's Table 5)."""

    name = "self-GLEU"

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the ratio and 1."""
        shared, total = matches(
            lowered(output, self._tokenizer), [lowered(source, self._tokenizer)]
        )
        return [shared / total if total else 0.0, 1]
