"""Compute BERTScore with the bert_score package: IDF weights, rescaling and baselines.

The package receives the model that our own loader has checked, because bert_score's loader chooses the class of a
model by its name. Pairs are scored one at a time: in a padded batch of bert_score, the score of a pair would depend
on the other pairs.
"""

import hashlib
import importlib.metadata
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.core.reading.input_files import utf8_lines
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.filters.neural.encoder_checkpoint import (
    EncoderCheckpoint,
    load_model_and_tokenizer,
    tokenizer_lock,
)
from bitext_pivot.filters.neural.matching import MatchScore


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOptions:
    """The options of the bert_score package that can change scores."""

    language: str
    """Language by which bert_score selects a baseline."""
    rescale: bool
    idf: Path | None
    """File with one sentence per line, from which IDF weights are computed: rare tokens get larger weights. With
    None, all weights are equal."""
    baseline: Path | None
    """Table of the scores of random pairs (LAYER,P,R,F) to rescale by. With None, the table in the bert_score
    package is used."""

    @property
    def signature(self) -> str:
        """Version of bert_score and digests of the files that the options name.

        Raises SettingsError if a file cannot be read.
        """
        parts = [f"bert_score-{importlib.metadata.version('bert_score')}"]
        if self.idf:
            parts.append(f"idf={_digest(read_references(self.idf))}")
        if self.baseline:
            parts.append(f"rescale={_digest(_read_lines(self.baseline, 'baseline'))}")
        elif self.rescale:
            parts.append(f"rescale={self.language or 'shipped'}")
        return " ".join(parts)


def score_pairs(scorer: Any, pairs: Sequence[tuple[str, str]]) -> list[MatchScore]:
    """Return the BERTScore of each pair (candidate, reference), in order; 0 without words."""
    candidates, others = [text for text, _ in pairs], [text for _, text in pairs]
    with tokenizer_lock:
        columns = scorer.score(candidates, others, batch_size=1)
    scores = [
        MatchScore(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
    ]
    return [
        score if all(map(math.isfinite, score)) else MatchScore(0.0, 0.0, 0.0) for score in scores
    ]


@load_once
def load_scorer(
    checkpoint: EncoderCheckpoint, longest: int, device: Device, options: ReferenceOptions, _: str
) -> Any:
    """Return a scorer of the bert_score package that uses a model checked by our own loader.

    `longest` is the maximum number of tokens the model accepts. The last argument is the signature of the options:
    results are cached, and a changed file must be read again.

    Raises:
        SettingsError: the model cannot be loaded, or there is no baseline for the layer.
    """
    model, tokenizer = load_model_and_tokenizer(
        checkpoint, "AutoModel", num_hidden_layers=checkpoint.layer
    )
    tokenizer.model_max_length = longest  # a tokenizer with vocab.txt only does not know it
    with _patched_loader(model, tokenizer) as scorer_class:
        result = scorer_class(
            model_type=checkpoint.name,
            num_layers=checkpoint.layer,
            device=device,
            lang=options.language,
            idf=options.idf is not None,
            idf_sents=options.idf and read_references(options.idf),
            nthreads=0,
            rescale_with_baseline=options.rescale,
            baseline_path=options.baseline and str(options.baseline),
        )
    if options.rescale:
        _check_baseline(result)
    return result


@contextmanager
def _patched_loader(model: Any, tokenizer: Any) -> Iterator[Any]:
    """Yield a BERTScorer class that uses this model and tokenizer.

    bert_score has no argument for a loaded model, so its loading functions are replaced until the end of the block.
    """
    import bert_score.scorer as package

    own = package.get_model, package.get_tokenizer
    package.get_model = lambda *_: model
    package.get_tokenizer = lambda *_: tokenizer
    try:
        yield package.BERTScorer
    finally:
        package.get_model, package.get_tokenizer = own


def _check_baseline(scorer: Any) -> None:
    """Raise SettingsError if the baseline of a scorer has no scores for the layer it uses."""
    try:
        _, _, _ = scorer.baseline_vals
    except Exception as error:  # pandas raises almost anything for a malformed file
        raise SettingsError(
            f"{scorer.baseline_path!r} has no baseline for layer {scorer.num_layers} of {scorer.model_type!r}. Switch "
            "`rescale` off, or set `baseline` to a file in bert_score's format: a header `LAYER,P,R,F`, then a line of "
            "numbers for each layer from 0."
        ) from error


def read_references(path: Path) -> list[str]:
    """Return the non-empty lines of a file of sentences for IDF weights.

    Raises SettingsError if there are none.
    """
    texts = [squeezed(line) for line in _read_lines(path, "idf")]
    if not any(texts):
        raise SettingsError(
            f"`idf` is {str(path)!r}, which contains no text. Name a file with one reference per line."
        )
    return [text for text in texts if text]


def _read_lines(path: Path, setting: str) -> list[str]:
    return list(utf8_lines(path, f"Set `{setting}` to a text file in UTF-8."))


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
