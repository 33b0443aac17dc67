"""BERTScore by the functions of the bert_score package, IDF and rescaling included.

Pairs are scored one at a time: in a batch the package pads, and the score of a pair would depend on the others.
"""

import hashlib
import importlib.metadata
import importlib.util
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.core.input_files import utf8_lines
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.filters.neural.checkpoint import EncoderCheckpoint, load, tokenizing
from bitext_pivot.filters.neural.matching import MatchScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Weighting of the package's scores."""

    idf: Path | None
    """File of references, one per line; rare tokens count for more. None: every token counts the same."""
    baseline: Path | None
    """Table of scores of random pairs (LAYER,P,R,F) to rescale by. None: no rescaling."""

    @property
    def signature(self) -> str:
        """Version of the package and digests of the files. Raises SettingsError if one cannot be read."""
        parts = [f"bert_score-{importlib.metadata.version('bert_score')}"]
        parts += [f"idf={_digest(chr(10).join(references(self.idf)))}"] if self.idf else []
        if self.baseline:
            text = "".join(f"{line}\n" for line in _lines(self.baseline, "baseline"))
            parts.append(f"rescale={_digest(text)}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Scorer:
    """A loaded encoder with the weights of its tokens and the scores to rescale by."""

    model: Any
    tokenizer: Any
    device: Device
    weights: Mapping[int, float]
    baseline: Any
    """Tensor of precision, recall and F of random pairs; None: no rescaling."""


def compare(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> list[MatchScore]:
    """Return BERTScore of each (candidate, reference), in order; a text without words scores 0."""
    from bert_score.utils import bert_cos_score_idf

    candidates, others = [text for text, _ in pairs], [text for _, text in pairs]
    with tokenizing:
        scores = bert_cos_score_idf(
            scorer.model,
            others,
            candidates,
            scorer.tokenizer,
            scorer.weights,
            device=scorer.device,
            batch_size=1,
        )
    if scorer.baseline is not None:
        scores = (scores - scorer.baseline) / (1 - scorer.baseline)
    return [
        MatchScore(*(row if all(map(math.isfinite, row)) else (0.0, 0.0, 0.0)))
        for row in scores.tolist()
    ]


@load_once
def scorer(
    checkpoint: EncoderCheckpoint, longest: int, device: Device, options: Options, _: str
) -> Scorer:
    """Return the scorer of a model that was checked before.

    `longest` is the number of tokens that the model can take; the last argument is the signature of the options, so
    that a changed file is read again.

    Raises:
        SettingsError: the model cannot be loaded, or the baseline has no scores of the layer.
    """
    from bert_score.utils import get_idf_dict

    baseline = _baseline(options.baseline, checkpoint.layer) if options.baseline else None
    model, tokenizer = load(checkpoint, "AutoModel", num_hidden_layers=checkpoint.layer)
    tokenizer.model_max_length = longest  # unknown to a tokenizer of vocab.txt alone
    if options.idf:
        weights = get_idf_dict(references(options.idf), tokenizer, nthreads=0)
    else:
        weights = defaultdict(lambda: 1.0, {tokenizer.cls_token_id: 0, tokenizer.sep_token_id: 0})
    return Scorer(model.to(device), tokenizer, device, weights, baseline)


def _baseline(path: Path, layer: int) -> Any:
    """Return a layer's row of a table. Raises SettingsError if it has none."""
    import torch

    try:
        _, precision, recall, f1 = map(float, _lines(path, "baseline")[layer + 1].split(","))
    except (ValueError, IndexError) as error:
        raise SettingsError(
            f"{str(path)!r} has no baseline of layer {layer}. Expected bert_score's format: a line `LAYER,P,R,F`, then "
            "a line of numbers for each layer from 0 on."
        ) from error
    return torch.tensor([precision, recall, f1])


def is_shipped(model: str) -> bool:
    """Return True if bert_score ships the baseline of a model for any language."""
    return any(_baselines().glob(f"*/{model}.tsv"))


def shipped(model: str, language: str) -> Path:
    """Return the baseline that bert_score ships for a model and a language. Raises SettingsError if there is none."""
    path = _baselines() / language / f"{model}.tsv"
    if not path.is_file():
        raise SettingsError(
            f"bert_score ships no baseline of {model!r} for {language!r}. Switch `rescale` off, or give `baseline`."
        )
    return path


def references(path: Path) -> list[str]:
    """Return the lines of a file of references without empty ones. Raises SettingsError if there are none."""
    texts = [squeezed(line) for line in _lines(path, "idf")]
    if not any(texts):
        raise SettingsError(
            f"`idf` {str(path)!r} has no text. Name a file with one reference per line."
        )
    return [text for text in texts if text]


def _lines(path: Path, setting: str) -> list[str]:
    return list(utf8_lines(path, f"`{setting}` needs a text file in UTF-8."))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _baselines() -> Path:
    spec = importlib.util.find_spec("bert_score")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0] if folders else ".") / "rescale_baseline"
