"""BERTScore by the bert_score package itself, IDF and rescaling included.

Pairs are scored one at a time: in a batch the package pads, and the score of a pair would depend on the others.
"""

import hashlib
import importlib.metadata
import importlib.util
import math
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filters.neural.checkpoint import Checkpoint
from filters.neural.matching import Comparison
from pairs.checkpoints import weights
from pairs.checkpoints.device import Device
from pairs.errors import SettingsError

_lock = threading.Lock()  # a fast tokenizer may not be used by two threads at once


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
        parts += [f"rescale={_digest(_text(self.baseline, 'baseline'))}"] if self.baseline else []
        return " ".join(parts)


def compare(scorer: Any, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
    """Return BERTScore of each (candidate, reference), in order; a text without words scores 0."""
    with _lock:
        columns = scorer.score([text for text, _ in pairs], [text for _, text in pairs], batch_size=1)
    rows = [Comparison(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return [row if all(map(math.isfinite, row)) else Comparison(0.0, 0.0, 0.0) for row in rows]


@weights.load_once
def scorer(checkpoint: Checkpoint, longest: int, device: Device, options: Options, _: str) -> Any:
    """Return the package's scorer of a model that was loaded and checked before.

    `longest` is the number of tokens that the model can take; the last argument is the signature of the options, so
    that a changed file is read again.

    Raises:
        SettingsError: the package cannot load the model, or the baseline has no scores of the layer.
    """
    if "t5" in str(checkpoint.folder):
        raise SettingsError(
            f"The bert_score package takes every path with `t5` for a T5 model, and the encoder is in "
            f"{str(checkpoint.folder)!r}. Move it to another folder, or set the filter's mode to fast."
        )
    with weights.loading():
        from bert_score import BERTScorer

        loaded = BERTScorer(
            model_type=str(checkpoint.folder), num_layers=checkpoint.layer, batch_size=1, nthreads=0, device=device,
            idf=options.idf is not None, idf_sents=references(options.idf) if options.idf else None,
            lang="", rescale_with_baseline=options.baseline is not None,
            baseline_path=options.baseline and str(options.baseline),
        )  # fmt: skip
    loaded._model.float()
    loaded._tokenizer.model_max_length = longest  # unknown to a tokenizer of vocab.txt alone
    if options.baseline:
        _check_baseline(loaded, options.baseline)
    return loaded


def _check_baseline(scorer: Any, path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # torch warns that the package copies a read-only array
        try:
            is_complete = len(scorer.baseline_vals) == 3
        except (ValueError, TypeError, IndexError):
            is_complete = False
    if not is_complete:
        raise SettingsError(
            f"{str(path)!r} has no baseline of layer {scorer.num_layers}. Expected bert_score's format: a line "
            "`LAYER,P,R,F`, then a line of numbers for each layer from 0 on."
        )


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
    lines = [line.strip() for line in _text(path, "idf").split("\n") if line.strip()]
    if not lines:
        raise SettingsError(f"`idf` {str(path)!r} has no text. Name a file with one reference per line.")
    return lines


def _text(path: Path, setting: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"`{setting}` {str(path)!r} cannot be read ({error}). Name a UTF-8 text file.") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _baselines() -> Path:
    spec = importlib.util.find_spec("bert_score")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0] if folders else ".") / "rescale_baseline"
