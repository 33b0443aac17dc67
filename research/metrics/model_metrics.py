"""Metrics that need a model: BERTScore and the share of entailed sentences."""

import logging
from collections.abc import Sequence

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.classifier import load_classifier
from bitext_pivot.filters.neural.encoder import load_encoder
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.encoder_filter import ENCODERS
from bitext_pivot.filters.neural.entailment import load_and_check
from bitext_pivot.filters.neural.precision import library_version
from bitext_pivot.research.metrics.bertscore_metric import BertScore
from bitext_pivot.research.metrics.evaluation_settings import Evaluation
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.segmentation import joined
from bitext_pivot.research.metrics.splits import EntailedShare, split_outputs


def bertscore_metric(
    corpus: EvaluationCorpus, systems: Sequence[Sequence[str]], settings: Evaluation, site: Site
) -> BertScore:
    """Return the metric BERTScore for the outputs of all systems, encoding each text once.

    Raises SettingsError if the encoder cannot be loaded or its layer is unknown.
    """
    model = str(settings.bertscore)
    layer = settings.layer or ENCODERS.get(model, {}).get("layer")
    if layer is None:
        raise SettingsError(
            f"No layer is known for the encoder {model!r}. Set --layer, or use one of the encoders "
            f"{', '.join(ENCODERS)}."
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


def entailment_metric(
    corpus: EvaluationCorpus, systems: Sequence[Sequence[str]], settings: Evaluation, site: Site
) -> EntailedShare:
    """Return the metric of entailed sentences, comparing each source and sentence once.

    Raises SettingsError if the entailment model cannot be loaded or does not work.
    """
    runtime = Runtime.of(site)
    model_files = fetch_checkpoint(str(settings.entailment), 1, setting="entailment")
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
