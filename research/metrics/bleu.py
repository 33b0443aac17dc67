"""BLEU and self-BLEU, computed by sacrebleu on texts without the separator `<SEP>`."""

from typing import Any

from sacrebleu.metrics.bleu import BLEU, BLEUScore

from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.segmentation import joined


class Bleu(BLEU):
    """BLEU of the outputs against the references."""

    def __init__(self, corpus: EvaluationCorpus, tokenizer: Tokenizer) -> None:
        references: list[list[Any]] = [
            [None if line is None else joined(line) for line in lines]
            for lines in corpus.references
        ]
        super().__init__(
            tokenize="13a" if tokenizer == "treebank" else tokenizer,
            force=True,
            references=references,
        )

    def _preprocess_segment(self, sent: str) -> str:
        text: str = super()._preprocess_segment(joined(sent))
        return text


class SelfBleu(Bleu):
    """BLEU of the outputs against their sources: 100 for a system that copies its input."""

    def __init__(self, corpus: EvaluationCorpus, tokenizer: Tokenizer) -> None:
        super().__init__(EvaluationCorpus(sources=[], references=[corpus.sources]), tokenizer)

    def _compute_score_from_stats(self, stats: list[int]) -> BLEUScore:
        score = super()._compute_score_from_stats(stats)
        score.name = "self-BLEU"
        return score
