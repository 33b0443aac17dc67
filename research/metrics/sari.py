"""SARI: how well a system adds, keeps and deletes n-grams of the source (Xu et al. 2016, TACL 4, section 4.1).

Published scores come from programs that differ. This module computes three variants for each line, averaged over n = 1
to 4; easse.py computes a fourth variant.

* `xu2016`: the authors' program, on lowercased text. Counts are weighted by the number of references. Keeping is
  scored by the F1 of shares averaged over n-grams, deletion by its precision, addition by the F1 of sets. 0/0 is 0.
* `bisect`: like `xu2016`, but an added n-gram is correct only if it is not a subsequence of the source, so that
  deleting the words between two others earns nothing. For this check the source keeps its case, so an n-gram with a
  word that the source capitalises always passes.
* `discofuse`: the program of tensor2tensor with the arguments of the DiscoFuse paper, case-sensitive. All three
  operations are scored by the F1 of sets, an n-gram is weighted by the share of references that contain it, and 0/0 is
  1 for precision and recall.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from bitext_pivot.research.metrics.evaluation_settings import LineVariant, Tokenizer
from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.ppdb import Paraphrases, rewritten
from bitext_pivot.research.metrics.segmentation import tokens

Words = tuple[str, ...]
_Weights = dict[Words, float]


class SariParts(NamedTuple):
    """SARI of one line, and the scores for adding, keeping and deleting, from 0 to 1.

    SARI is the mean of the other three.
    """

    sari: float
    add: float
    keep: float
    delete: float


class _Grams(NamedTuple):
    """The n-grams of one length in all texts of a line, and the words of the source as written."""

    source: Counter[Words]
    output: Counter[Words]
    references: Sequence[Counter[Words]]
    text: Words


@lru_cache(maxsize=100_000)  # the four scores of a line are requested one after another
def sari(
    source: Words, output: Words, references: tuple[Words, ...], variant: LineVariant
) -> SariParts:
    """Return the SARI of one line. The texts are tuples of tokens as written, not in lower case."""
    compute = _discofuse if variant == "discofuse" else _xu if variant == "xu2016" else _bisect
    texts = [source, output, *references]
    if variant != "discofuse":
        texts = [tuple(word.lower() for word in text) for text in texts]
    counts = [[grams(text, n) for text in texts] for n in range(1, 5)]
    rows = [
        compute(_Grams(source_grams, output_grams, reference_grams, source))
        for source_grams, output_grams, *reference_grams in counts
    ]
    add, keep, delete = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return SariParts((add + keep + delete) / 3, add, keep, delete)


def grams(words: Words, n: int) -> Counter[Words]:
    """Return the number of occurrences of each n-gram in a text."""
    return Counter(words[at : at + n] for at in range(len(words) - n + 1))


def _xu(
    grams: _Grams, is_good: Callable[[Words], bool] = lambda _: True
) -> tuple[float, float, float]:
    references = sum(grams.references, Counter[Words]())
    times = len(grams.references)
    source = Counter({gram: times * count for gram, count in grams.source.items()})
    output = Counter({gram: times * count for gram, count in grams.output.items()})
    kept_grams, to_keep = source & output, source & references
    kept_well = kept_grams & references
    deleted_grams = source - output
    deleted_well = deleted_grams - references
    added_grams, to_add = output.keys() - source.keys(), references.keys() - source.keys()
    added_well = sum(map(is_good, added_grams & references.keys()))
    return (
        _f1(_ratio(added_well, len(added_grams)), _ratio(added_well, len(to_add))),
        _f1(_mean_share(kept_well, kept_grams), _mean_share(kept_well, to_keep)),
        _mean_share(deleted_well, deleted_grams),
    )


def _bisect(grams: _Grams) -> tuple[float, float, float]:
    return _xu(grams, lambda gram: not _is_subsequence(gram, grams.text))


def _is_subsequence(gram: Words, text: Words) -> bool:
    following = iter(text)
    return all(word in following for word in gram)


def _mean_share(good: Counter[Words], among: Counter[Words]) -> float:
    return _ratio(sum(count / among[gram] for gram, count in good.items()), len(among))


def _ratio(part: float, whole: float, otherwise: float = 0.0) -> float:
    return part / whole if whole else otherwise


def _f1(precision: float, recall: float) -> float:
    return _ratio(2 * precision * recall, precision + recall)


def _discofuse(grams: _Grams) -> tuple[float, float, float]:
    present = [reference.keys() for reference in grams.references if reference]
    weights: _Weights = {
        gram: sum(gram in reference for reference in present) / len(present)
        for gram in set[Words]().union(*present)
    }
    source, output, once = (
        dict.fromkeys(gram, 1.0) for gram in (grams.source, grams.output, weights)
    )
    return (
        _agreement(_minus(output, source), once, _minus(once, source)),
        _agreement(_common(source, output), weights, _common(source, weights)),
        _agreement(_minus(source, output), _minus(source, weights), _minus(source, weights)),
    )


def _agreement(chosen: _Weights, right: _Weights, relevant: _Weights) -> float:
    good = _total(_common(chosen, right))
    return _f1(_ratio(good, _total(chosen), 1.0), _ratio(good, _total(relevant), 1.0))


def _common(first: _Weights, second: _Weights) -> _Weights:
    return {gram: min(first[gram], second[gram]) for gram in first.keys() & second.keys()}


def _minus(first: _Weights, second: _Weights) -> _Weights:
    left = {gram: weight - second.get(gram, 0.0) for gram, weight in first.items()}
    return {gram: weight for gram, weight in left.items() if weight > 0}


def _total(weights: _Weights) -> float:
    return sum(weights.values())


SariPart = Literal["sari", "add", "keep", "delete"]
PARTS: tuple[SariPart, ...] = get_args(SariPart)


class Sari(SegmentMetric):
    """SARI averaged over lines, or its score for adding, keeping or deleting, from 0 to 100."""

    def __init__(
        self,
        corpus: EvaluationCorpus,
        tokenizer: Tokenizer,
        variant: LineVariant,
        part: SariPart = "sari",
        ppdb: Paraphrases | None = None,
    ) -> None:
        self.name = "SARI" if part == "sari" else f"SARI {part}"
        self._tokenizer, self._variant, self._part, self._ppdb = tokenizer, variant, part, ppdb
        described = {
            "variant": variant,
            "case": "mixed" if variant == "discofuse" else "lc",
            "tok": tokenizer,
        }
        super().__init__(corpus, described | ({"ppdb": ppdb.digest} if ppdb else {}))

    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the score of one line, and 1, the number of lines."""
        words = tokens(output, self._tokenizer)
        others = tuple(
            rewritten(tokens(line, self._tokenizer), words, self._ppdb) for line in references
        )
        parts = sari(tokens(source, self._tokenizer), words, others, self._variant)
        return [getattr(parts, self._part), 1]
