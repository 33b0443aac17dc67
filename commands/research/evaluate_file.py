"""Score the outputs of split-and-rephrase systems, for `bitext-pivot evaluate OUTPUT...`."""

import logging
from itertools import chain
from typing import Any

from rich.console import Group
from rich.text import Text

from bitext_pivot.alignments.screening.identify import warn_of_other_language
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table
from bitext_pivot.research.metrics.comparison import Comparison, compare, metrics_of
from bitext_pivot.research.metrics.cut import blind_cut
from bitext_pivot.research.metrics.evaluation_files import (
    by_name,
    read_references,
    read_segments,
    warn_of_remains,
)
from bitext_pivot.research.metrics.evaluation_settings import Evaluation
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.model_metrics import bertscore_metric, entailment_metric
from bitext_pivot.research.metrics.ppdb import Paraphrases
from bitext_pivot.research.metrics.segmentation import joined

_FEWEST = 30
"""Minimum number of sentences for meaningful confidence intervals and p-values, which use resampling."""
BLIND_CUT = "blind cut"
"""Name of a system that every evaluation adds for comparison: it cuts each sentence in two without rephrasing."""


def evaluate_file(settings: Evaluation, site: Site) -> Group:
    """Return a table of scores, then the signature of each metric (its settings and versions).

    If `settings.json_file` is set, the scores are also written to that file.

    Raises:
        SettingsError: a file cannot be read, is empty, is not UTF-8 or does not have as many lines as the source, or
            the encoder of BERTScore or the entailment model cannot be loaded or fails.
    """
    columns = settings.columns
    sources = read_segments(settings.source, column="long", columns=columns)
    references = read_references(
        settings.references, settings.source, len(sources), columns=columns
    )
    for path, texts in ((settings.source, sources), (settings.references[0], chain(*references))):
        if warning := warn_of_other_language(str(path), texts, settings.language, "--language"):
            logging.getLogger(__name__).warning(warning)
    systems = {
        name: read_segments(path, settings.source, len(sources), columns=columns)
        for name, path in by_name(settings.outputs).items()
    }
    for name, lines in {str(settings.source): sources, **systems}.items():
        warn_of_remains(name, lines)
    systems[BLIND_CUT] = [blind_cut(source) for source in sources]
    corpus = EvaluationCorpus.of(
        sources, references, systems, (str(settings.source), str(settings.references[0]))
    )
    ppdb = Paraphrases.of(read_segments(settings.ppdb)) if settings.ppdb else None
    metrics = metrics_of(corpus, settings, ppdb)
    if settings.bertscore:
        metrics.append(bertscore_metric(corpus, list(systems.values()), settings, site))
    if settings.entailment:
        metrics.append(entailment_metric(corpus, list(systems.values()), settings, site))
    comparison = compare(systems, metrics, settings)
    if settings.json_file:
        atomic.write_json(settings.json_file, _plain(comparison, settings))
    empty = {name: sum(not joined(line) for line in lines) for name, lines in systems.items()}
    note = "; ".join(
        f"{name}: {count} of {len(corpus.sources)} lines are empty"
        for name, count in empty.items()
        if count
    )
    if len(sources) < _FEWEST:
        note = "\n".join(
            filter(None, [f"Fewer than {_FEWEST} sentences: intervals and p mean nothing.", note])
        )
    signatures = "\n".join(f"{name}|{line}" for name, line in comparison.signatures.items())
    return Group(
        _table(comparison, settings, note), Text(signatures, overflow="ignore", no_wrap=True)
    )


def _table(comparison: Comparison, settings: Evaluation, note: str) -> Table:
    rows = [[name, *map(_cell, results)] for name, results in comparison.results.items()]
    baseline = (
        f"p: {settings.test} test against {comparison.systems[0]}"
        if len(comparison.systems) > 1
        else ""
    )
    return Table(
        head=["", *comparison.systems],
        rows=rows,
        note="\n".join(filter(None, ["Scores with 95 % confidence intervals.", baseline, note])),
    )


def _cell(result: Any) -> str:
    interval = f"{result.score:.1f} ± {result.ci:.1f}"
    return interval if result.p_value is None else f"{interval}\np = {result.p_value:.4f}"


def _plain(comparison: Comparison, settings: Evaluation) -> dict[str, Any]:
    """Return all scores by system and metric, with settings and signatures, as JSON values."""
    return {
        "settings": settings.model_dump(mode="json", by_alias=True),
        "signatures": comparison.signatures,
        "systems": comparison.by_system(),
    }
