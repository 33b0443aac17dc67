"""SARI as computed by EASSE (Alva-Manchego et al., EMNLP 2019), the variant most papers have reported since.

Counts of n-grams are summed over the whole corpus before precision and recall are computed, and deletion is scored by
its F1, like addition and keeping. A score is the mean over n-grams of orders 1 to 4. Texts are lowercased and tokenized
with 13a.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.ppdb import Paraphrases, rewritten
from bitext_pivot.research.metrics.sari import PARTS, SariPart, Words, grams
from bitext_pivot.research.metrics.segmentation import lowered


@lru_cache(maxsize=100_000)  # the four scores of a line are requested one after another
def count_operations(source: Words, output: Words, references: tuple[Words, ...]) -> list[int]:
    """Return 36 counts of a line: three per n-gram order (1 to 4) and operation.

    The operations are adding, keeping and deleting n-grams. The three counts of an operation are the n-grams to which
    the output applies it correctly, all to which the output applies it, and all to which the references apply it.
    N-grams of source and output are counted once per reference; added n-grams are counted once.
    """
    rows: list[int] = []
    for n in range(1, 5):
        before, after = (
            Counter({gram: len(references) * count for gram, count in grams(text, n).items()})
            for text in (source, output)
        )
        wanted = sum((grams(reference, n) for reference in references), Counter[Words]())
        for done, to_do in (
            (Counter(after.keys() - before.keys()), Counter(wanted.keys() - before.keys())),
            (before & after, before & wanted),
            (before - after, before - wanted),
        ):
            rows += [(done & to_do).total(), done.total(), to_do.total()]
    return rows


class EasseSari(SegmentMetric):
    """Corpus-level SARI, or its score for adding, keeping or deleting, from 0 to 100."""

    def __init__(
        self,
        corpus: EvaluationCorpus,
        tokenizer: Tokenizer,
        part: SariPart = "sari",
        ppdb: Paraphrases | None = None,
    ) -> None:
        self.name = "SARI" if part == "sari" else f"SARI {part}"
        self._tokenizer: Tokenizer = "13a" if tokenizer == "treebank" else tokenizer
        self._part, self._ppdb = part, ppdb
        described = {"variant": "easse", "case": "lc", "tok": self._tokenizer}
        super().__init__(corpus, described | ({"ppdb": ppdb.digest} if ppdb else {}))

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the counts of `count_operations` for a line."""
        words = lowered(output, self._tokenizer)
        others = tuple(
            rewritten(lowered(line, self._tokenizer), words, self._ppdb) for line in references
        )
        return [*count_operations(lowered(source, self._tokenizer), words, others)]

    def score(self, sums: Sequence[float]) -> float:
        """Return the mean F1 over the four n-gram orders, of one operation or of all three."""
        rows = zip(sums[::3], sums[1::3], sums[2::3], strict=True)
        f1 = [200 * good / (done + to_do) if good else 0.0 for good, done, to_do in rows]
        chosen = f1 if self._part == "sari" else f1[PARTS.index(self._part) - 1 :: 3]
        return float(sum(chosen) / len(chosen))
