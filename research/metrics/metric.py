"""Base classes of the metrics, derived from sacrebleu's `Metric`.

A metric computes statistics for each segment, and a score from their sums. sacrebleu adds confidence intervals, paired
tests, and a signature that names everything the scores depend on. Custom metrics can use the same classes.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import zip_longest
from typing import Any, ClassVar

import numpy as np
from sacrebleu.metrics.base import Metric, Score, Signature

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.research.metrics.evaluation_settings import Tokenizer
from bitext_pivot.research.metrics.segmentation import joined


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCorpus:
    """Sources and references of an evaluation, line by line."""

    sources: Sequence[str]
    references: Sequence[Sequence[Any]]
    """Strings of shape (references, lines) as in sacrebleu, padded with None if a line has fewer references."""

    @classmethod
    def of(
        cls,
        sources: Sequence[str],
        references: Sequence[Sequence[str]],
        outputs: Mapping[str, Sequence[str]],
        names: tuple[str, str] = ("sources", "references"),
    ) -> "EvaluationCorpus":
        """Build the corpus from one source and a list of references for each line.

        `outputs` has the outputs of each system, whose number is checked. `names` are the names of sources and
        references in error messages. Raises SettingsError if the numbers of lines differ, or if a line has no source or
        no reference.
        """
        texts = [[text for text in line if joined(text)] for line in references]
        for name, lines in {names[1]: references, **outputs}.items():
            if len(lines) != len(sources):
                raise SettingsError(
                    f"{name}: {len(lines)} lines for {len(sources)} {names[0]}. Expected one line per source."
                )
        for name, segments in zip(names, (map(joined, sources), texts), strict=True):
            for number, segment in enumerate(segments, 1):
                if not segment:
                    raise SettingsError(
                        f"{name}: line {number} has no text. Every line needs a source and a reference."
                    )
        return cls(sources=sources, references=list(zip_longest(*texts)))


class _ProjectSignature(Signature):
    """The signature of a metric of this project, which names everything its scores depend on."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info["version"] = f"bitext-pivot-{version('bitext-pivot')}"
        self.info["nrefs"] = self.info["nrefs"] if args["has_references"] else None
        self.info.update(args["described"])


class SegmentMetric(Metric):
    """A metric whose score is computed from sums of statistics over segments."""

    _SIGNATURE_TYPE = _ProjectSignature
    name: str
    scale: float = 100

    def __init__(
        self, corpus: EvaluationCorpus, described: Mapping[str, str], *, has_references: bool = True
    ) -> None:
        """Store sources and references.

        `described` is added to the signature of the metric; it names what the scores depend on, such as the tokenizer.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self.described = dict(described)
        self.has_references = has_references
        self._ref_cache = self._cache_references([corpus.sources, *corpus.references])
        # The source is passed to sacrebleu as the first reference, but it must not be counted as one.
        self.num_refs = -1 if self.num_refs == -1 else self.num_refs - 1

    @abstractmethod
    def statistics(self, output: str, source: str, references: Sequence[str]) -> list[float]:
        """Return the statistics of one segment; `score` receives their sums."""

    def score(self, sums: Sequence[float]) -> float:
        """Return `scale` times the first sum divided by the second, or 0 if the second sum is 0.

        `sums` are the sums of `statistics` over all segments.
        """
        return self.scale * float(sums[0]) / float(sums[1]) if sums[1] else 0.0

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"source": refs[0], "references": refs[1:]}

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[float]:
        return self.statistics(hypothesis, **ref_kwargs)

    def _compute_score_from_stats(self, stats: Sequence[float]) -> Score:
        return Score(self.name, self.score(stats))

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> Score:
        return self._compute_score_from_stats(np.sum(stats, axis=0))


class OutputMetric(SegmentMetric):
    """A metric that needs no references and compares texts in lower case."""

    details: ClassVar[Mapping[str, str]] = {}
    """What the scores of this metric depend on, in addition to case and tokenizer."""

    def __init__(self, corpus: EvaluationCorpus, tokenizer: Tokenizer) -> None:
        self._tokenizer: Tokenizer = tokenizer
        super().__init__(
            corpus, {"case": "lc", "tok": tokenizer, **self.details}, has_references=False
        )
