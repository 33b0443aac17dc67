"""GLEU (Wu et al. 2016, arXiv:1609.08144, section 5.1), computed by NLTK. The BiSECT paper reports it as BLEU."""

from collections.abc import Sequence

from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.ppdb import Paraphrases, rewritten
from bitext_pivot.research.metrics.segmentation import tokens


class Gleu(SegmentMetric):
    """Corpus GLEU of the outputs against the references, case-sensitive, from 0 to 100."""

    name = "GLEU"

    def __init__(
        self, corpus: EvaluationCorpus, tokenizer: Tokenizer, ppdb: Paraphrases | None = None
    ) -> None:
        self._tokenizer, self._ppdb = tokenizer, ppdb
        described = {"case": "mixed", "tok": tokenizer} | ({"ppdb": ppdb.digest} if ppdb else {})
        super().__init__(corpus, described)

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return how many n-grams output and best reference share, and how many the longer has."""
        words = tokens(output, self._tokenizer)
        best, total = 0.0, 0
        for line in references:
            reference = rewritten(tokens(line, self._tokenizer), words, self._ppdb)
            score = _gleu(reference, words)
            if not total or score > best:
                best, total = score, max(_number_of_grams(words), _number_of_grams(reference))
        return [best * total, total]


def _gleu(reference: Sequence[str], words: Sequence[str]) -> float:
    # Imported here because NLTK imports scikit-learn, which takes two seconds.
    from nltk.translate.gleu_score import sentence_gleu

    return float(sentence_gleu([reference], words))


def _number_of_grams(words: Sequence[str]) -> int:
    from nltk.util import everygrams

    return len(list(everygrams(words, max_len=4)))
