"""Scores of several systems on one corpus, with sacrebleu's paired tests against the first of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest

from bitext_pivot.research.metrics.base import Corpus
from bitext_pivot.research.metrics.bleu import Bleu, SelfBleu
from bitext_pivot.research.metrics.easse import EasseSari
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.metrics.fkgl import Fkgl
from bitext_pivot.research.metrics.gleu import Gleu
from bitext_pivot.research.metrics.lengths import NewWords, OutputLength, SentenceLength
from bitext_pivot.research.metrics.ppdb import Paraphrases
from bitext_pivot.research.metrics.sari import PARTS, Sari
from bitext_pivot.research.metrics.splits import OneSplit, SentenceCount, Unsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Results of all metrics."""

    systems: Sequence[str]
    """Names, the baseline first."""
    results: Mapping[str, Sequence[Any]]
    """By metric, in the order of the systems: score, 95 % interval and p-value, which the baseline does not have."""
    signatures: Mapping[str, str]
    """By metric, as sacrebleu writes them."""

    def by_system(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return `score`, `ci` and `p_value` by system and metric."""
        return {
            system: {name: dict(vars(results[number])) for name, results in self.results.items()}
            for number, system in enumerate(self.systems)
        }


def metrics_of(corpus: Corpus, settings: Scoring, ppdb: Paraphrases | None = None) -> list[Metric]:
    """Return the metrics of an evaluation, in the order of BiSECT's Table 5; BERTScore is added by the caller."""
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
        OneSplit(corpus, settings.language),
        Unsplit(corpus, settings.language),
        SentenceCount(corpus, settings.language),
    ]


def _saris(corpus: Corpus, settings: Scoring, ppdb: Paraphrases | None) -> list[Metric]:
    if settings.sari == "easse":
        return [EasseSari(corpus, settings.tokenizer, part, ppdb) for part in PARTS]
    return [Sari(corpus, settings.tokenizer, settings.sari, part, ppdb) for part in PARTS]


def compare(
    systems: Mapping[str, Sequence[str]], metrics: Sequence[Metric], settings: Scoring
) -> Comparison:
    """Score every system (its outputs by its name) and test it against the first one.

    Confidence intervals are bootstrapped. The random numbers are sacrebleu's: the same for the same number of lines.
    Equal scores have p = 1, where sacrebleu has 1 / (samples + 1).
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
