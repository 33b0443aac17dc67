"""The files of a model that scores pairs, and the digest that identifies it; nothing is loaded here."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from pairs.checkpoints import hub, weights
from pairs.errors import SettingsError
from pairs.storage import atomic

BERTSCORE = "sieve.advanced.bertscore.model"
_TEXTS = {".json", ".txt", ".model", ".codes"}
"""Configuration and tokenizer: tokenizer.json, vocab.txt, merges.txt, sentencepiece.bpe.model, bpe.codes, ..."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model on disk, used up to layer `layer`; `digest` changes when its weights or its tokenizer do."""

    name: str
    folder: Path
    layer: int
    digest: str
    commit: str | None = None
    """Commit of the hub's repository; None for a folder or a package."""
    setting: str = BERTSCORE
    """Name of the setting that holds the model, for messages."""


def checkpoint(model: str, layer: int, *, revision: str | None = None, setting: str = BERTSCORE) -> Checkpoint:
    """Return a model given by package, folder or hub name, downloading its files. Nothing is loaded.

    Raises:
        SettingsError: it is none of these, has no weights in a format that is read here, or has fewer layers.
        SourceError: it cannot be downloaded, or its files are damaged.
    """
    with weights.LOADING:
        return _checkpoint(model, layer, revision, setting)


def choose(names: Sequence[str]) -> list[str]:
    """Return the files of a model that `from_pretrained` reads, among all its file names: one set of weights.

    >>> choose(["README.md", "config.json", "onnx/model.onnx", "pytorch_model.bin", "tf_model.h5", "vocab.txt"])
    ['config.json', 'pytorch_model.bin', 'vocab.txt']
    """
    texts = [name for name in names if "/" not in name and _is_text(name)]
    return sorted({*texts, *weights.choose(names)})


def _is_text(name: str) -> bool:
    return PurePath(name).suffix in _TEXTS and not name.endswith(".index.json")


@functools.cache
def _checkpoint(model: str, layer: int, revision: str | None, setting: str) -> Checkpoint:
    local = hub.fetch(model, choose=choose, setting=setting, revision=revision)
    layers = int(local.config.get("num_hidden_layers") or local.config.get("n_layers") or 0)
    if not 1 <= layer <= layers:
        raise SettingsError(f"The encoder {model!r} has {layers} layers; layer {layer} cannot be compared.")
    names = choose([path.name for path in local.folder.iterdir() if path.is_file()])
    digest = atomic.digest(local.folder, names)[:12]
    return Checkpoint(model, local.folder, layer, digest, local.commit, setting)
