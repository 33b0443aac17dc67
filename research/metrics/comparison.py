"""Compare the scores of several systems, with sacrebleu's paired tests against the first system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest

from bitext_pivot.research.metrics.bleu import Bleu, SelfBleu
from bitext_pivot.research.metrics.easse import EasseSari
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.metrics.fkgl import Fkgl
from bitext_pivot.research.metrics.gleu import Gleu
from bitext_pivot.research.metrics.lengths import NewWords, OutputLength, SentenceLength
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.ppdb import Paraphrases
from bitext_pivot.research.metrics.sari import PARTS, Sari
from bitext_pivot.research.metrics.splits import OneSplitShare, SentenceCount, UnsplitShare


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The scores of several systems for several metrics, with tests against a baseline."""

    systems: Sequence[str]
    """Names of the systems. The first system is the baseline."""
    results: Mapping[str, Sequence[Any]]
    """For each metric, the score, 95 % interval and p-value of each system, in order. The baseline has no p-value."""
    signatures: Mapping[str, str]
    """Signature of each metric in sacrebleu's format, which names everything its scores depend on."""

    def by_system(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return `score`, `ci` (the interval) and `p_value` by system and metric."""
        return {
            system: {name: dict(vars(results[number])) for name, results in self.results.items()}
            for number, system in enumerate(self.systems)
        }


def metrics_of(
    corpus: EvaluationCorpus, settings: Scoring, ppdb: Paraphrases | None = None
) -> list[Metric]:
    """Return the metrics of an evaluation, in the order of BiSECT's Table 5.

    BERTScore and the share of entailed sentences need a model, so the caller adds these metrics.
    """
    tokenizer = settings.tokenizer
    return [
        *_saris(corpus, settings, ppdb),
        *([Fkgl(corpus, tokenizer)] if settings.language == "en" else []),
        Bleu(corpus, tokenizer),
        Gleu(corpus, tokenizer, ppdb),
        SentenceLength(corpus, tokenizer, settings.language),
        OutputLength(corpus, tokenizer),
        SelfBleu(corpus, tokenizer),
        NewWords(corpus, tokenizer),
        OneSplitShare(corpus, settings.language),
        UnsplitShare(corpus, settings.language),
        SentenceCount(corpus, settings.language),
    ]


def _saris(corpus: EvaluationCorpus, settings: Scoring, ppdb: Paraphrases | None) -> list[Metric]:
    if settings.sari == "easse":
        return [EasseSari(corpus, settings.tokenizer, part, ppdb) for part in PARTS]
    return [Sari(corpus, settings.tokenizer, settings.sari, part, ppdb) for part in PARTS]


def compare(
    systems: Mapping[str, Sequence[str]], metrics: Sequence[Metric], settings: Scoring
) -> Comparison:
    """Score every system and test it against the first one; `systems` has outputs by name.

    Confidence intervals are bootstrapped with sacrebleu's fixed seed, so results repeat. Two systems with equal scores
    get p = 1; sacrebleu would return 1 / (samples + 1).
    """
    test = PairedTest(
        named_systems=list(systems.items()),
        metrics={str(number): metric for number, metric in enumerate(metrics)},
        references=None,  # each metric holds its own
        test_type="bs" if settings.test == "bootstrap" else "ar",
        n_samples=settings.samples,
        n_ar_confidence=settings.samples if settings.test == "randomization" else -1,
    )
    columns: Any
    signatures, columns = test()
    for results in (columns[name] for name in signatures):
        for result in results[1:]:
            result.p_value = 1.0 if result.score == results[0].score else result.p_value
    return Comparison(
        systems=list(systems),
        results={name: columns[name] for name in signatures},
        signatures={name: str(signature) for name, signature in signatures.items()},
    )
