"""`bitext-pivot evaluate OUTPUT...`: score the outputs of systems that were trained on the data."""

import logging
from collections.abc import Sequence
from itertools import chain
from typing import Any

from rich.console import Group
from rich.text import Text

from bitext_pivot.alignments.screening.identify import warn_of_other_language
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.classifier import load_classifier
from bitext_pivot.filters.neural.encoder import load_encoder
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.encoder_filter import ENCODERS
from bitext_pivot.filters.neural.entailment import load_and_check
from bitext_pivot.filters.neural.precision import library_version
from bitext_pivot.research.metrics.bertscore_metric import BertScore
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
from bitext_pivot.research.metrics.ppdb import Paraphrases
from bitext_pivot.research.metrics.segmentation import joined
from bitext_pivot.research.metrics.splits import EntailedShare, split_outputs

BLIND_CUT = "blind cut"
"""Name of the system that every evaluation has besides: what cutting alone scores."""


def evaluate_file(settings: Evaluation, site: Site) -> Group:
    """Return a table of the scores and, below it, the signature of each metric; write the JSON file if one is named.

    Raises:
        SettingsError: a file cannot be read, is empty, is not UTF-8 or has another number of lines than the source, or
            the encoder of BERTScore or the entailment model cannot be loaded or cannot work.
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
        metrics.append(_bertscore(corpus, list(systems.values()), settings, site))
    if settings.entailment:
        metrics.append(_entailed(corpus, list(systems.values()), settings, site))
    comparison = compare(systems, metrics, settings)
    if settings.json_file:
        atomic.write_json(settings.json_file, _plain(comparison, settings))
    empty = {name: sum(not joined(line) for line in lines) for name, lines in systems.items()}
    note = "; ".join(
        f"{name}: {count} of {len(corpus.sources)} lines are empty"
        for name, count in empty.items()
        if count
    )
    signatures = "\n".join(f"{name}|{line}" for name, line in comparison.signatures.items())
    return Group(
        _table(comparison, settings, note), Text(signatures, overflow="ignore", no_wrap=True)
    )


def _bertscore(
    corpus: EvaluationCorpus, systems: Sequence[Sequence[str]], settings: Evaluation, site: Site
) -> BertScore:
    """Compare all outputs with all references at once: each distinct text is encoded once."""
    model = str(settings.bertscore)
    layer = settings.layer or ENCODERS.get(model, {}).get("layer")
    if layer is None:
        raise SettingsError(
            f"No layer is known for the encoder {model!r}. Give --layer, or one of {', '.join(ENCODERS)}."
        )
    runtime = Runtime.of(site)
    model_files = fetch_checkpoint(model, int(layer), setting="bertscore")
    pairs = sorted({
        (joined(output), joined(reference))
        for outputs in systems
        for lines in corpus.references
        for output, reference in zip(outputs, lines, strict=True)
        if reference is not None
    })  # fmt: skip
    numbers = load_encoder(model_files, "float32", runtime.device).compare(pairs, runtime.threads)
    scores = {pair: number.f1 for pair, number in zip(pairs, numbers, strict=True)}
    described = {
        "encoder": model_files.name,
        "digest": model_files.digest,
        "layer": str(model_files.layer),
    }
    return BertScore(corpus, scores, described | {"library": library_version(runtime.device)})


def _entailed(
    corpus: EvaluationCorpus, systems: Sequence[Sequence[str]], settings: Evaluation, site: Site
) -> EntailedShare:
    """Ask an entailment model about each distinct source and sentence of all outputs at once."""
    model_files, runtime = (
        fetch_checkpoint(str(settings.entailment), 1, setting="entailment"),
        Runtime.of(site),
    )
    if warning := load_and_check(model_files, None, runtime.device, settings.language):
        logging.getLogger(__name__).warning(warning)
    pairs = sorted({
        (source, sentence)
        for outputs in systems
        for source, sentences in zip(corpus.sources, split_outputs(outputs, settings.language), strict=True)
        for sentence in sentences
    })  # fmt: skip
    results = load_classifier(model_files, None, runtime.device).infer(pairs, runtime.threads)
    follows = {
        pair: result.entailment >= result.other for pair, result in zip(pairs, results, strict=True)
    }
    described = {
        "model": model_files.name,
        "digest": model_files.digest,
        "library": library_version(runtime.device),
    }
    return EntailedShare(corpus, follows, described, settings.language)


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
    """Return all scores as JSON: by system and metric, with the signatures."""
    return {
        "settings": settings.model_dump(mode="json", by_alias=True),
        "signatures": comparison.signatures,
        "systems": comparison.by_system(),
    }
