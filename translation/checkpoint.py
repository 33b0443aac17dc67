"""A Marian checkpoint in Hugging Face's layout, local or from the hub, looked through before anything is loaded.

Weights are read from safetensors only: a pickle
(`pytorch_model.bin`) can run code when it is opened.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from pairs import hub
from pairs.errors import SettingsError, SourceError

WEIGHTS = "model.safetensors"
_PICKLE = "pytorch_model.bin"
_TOKENIZER = ("source.spm", "target.spm", "vocab.json")
_OUTPUT_DEPENDS_ON = ("config.json", *_TOKENIZER, WEIGHTS)
_OPTIONAL = ("tokenizer_config.json", "generation_config.json", "special_tokens_map.json")
_TARGET_TOKEN = re.compile(r">>.+<<")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A folder that was found to hold a whole Marian model and its tokenizer."""

    name: str
    """The hub's name for it, or the name of its folder."""
    folder: Path
    digest: str
    """Sixteen hexadecimal digits of the weights, the configuration, the vocabulary and both SentencePiece models."""
    positions: int
    """The longest sequence the model knows, in pieces."""
    target_tokens: tuple[str, ...]
    """The `>>xx<<` tokens of the vocabulary, sorted; a model with several targets has one for each."""
    source_lang: str | None
    """As tokenizer_config.json states it: `fr`, `fra+spa+deu`, `ROMANCE`; None when it does not."""
    target_lang: str | None
    revision: str | None = None
    """Commit of the hub's repository; None for a folder."""


def choose(names: Sequence[str]) -> list[str]:
    """Return the files to download among the file names of a hub model."""
    return [name for name in (*_OUTPUT_DEPENDS_ON, *_OPTIONAL) if name in names]


def open_checkpoint(model: str, *, revision: str | None = None) -> Checkpoint:
    """Find a model by folder or hub name and look it through; nothing is loaded and no code of it is run.

    Raises SettingsError when it is no Marian checkpoint that can be used here, SourceError when it cannot be fetched
    or its files are damaged.
    """
    local = hub.fetch(model, choose=choose, setting="translation.model", revision=revision)
    folder = local.folder
    config = _read_config(folder)
    _check_files(folder)
    entries = vocabulary(folder)
    _check_vocabulary(folder, config, entries)
    _check_weights(folder, config)
    stated = _read_json(folder / _OPTIONAL[0]) if (folder / _OPTIONAL[0]).is_file() else {}
    return Checkpoint(
        name=folder.resolve().name if Path(model).is_dir() else model,
        folder=folder,
        digest=_digest(folder),
        positions=int(config.get("max_position_embeddings", 512)),
        target_tokens=tuple(sorted(token for token in entries if _TARGET_TOKEN.fullmatch(token))),
        source_lang=stated.get("source_lang"),
        target_lang=stated.get("target_lang"),
        revision=local.commit,
    )


def vocabulary(folder: Path) -> dict[str, int]:
    """Return the entries of a checkpoint and their numbers; raises SourceError when the file is damaged."""
    return _read_json(folder / "vocab.json")


def _read_config(folder: Path) -> dict[str, Any]:
    if not (folder / "config.json").is_file():
        raise SettingsError(
            f"{folder} is not a Marian checkpoint: it has no config.json. "
            "Expected a folder in Hugging Face's layout with model_type 'marian'; name one with translation.model."
        )
    config = _read_json(folder / "config.json")
    kind, built_as = config.get("model_type"), config.get("architectures") or ["MarianMTModel"]
    if kind != "marian" or "MarianMTModel" not in built_as:
        made = " It seems to be converted for CTranslate2 already." if (folder / "model.bin").exists() else ""
        raise SettingsError(
            f"{folder} is not a Marian checkpoint: config.json says model_type {kind!r}, architectures {built_as}. "
            f"Expected 'marian' and MarianMTModel.{made} Name another with translation.model."
        )
    if not config.get("share_encoder_decoder_embeddings", True):
        raise SettingsError(
            f"{folder} has a vocabulary for each side, which no engine here reads. "
            "Name a model with one joint vocabulary with translation.model."
        )
    return config


def _check_files(folder: Path) -> None:
    if missing := [name for name in _TOKENIZER if not (folder / name).is_file()]:
        raise SettingsError(
            f"{folder} is not a whole Marian checkpoint: it lacks {', '.join(missing)} of the tokenizer. "
            "Copy them from where the model comes from (models that need BPE instead of SentencePiece cannot be used)."
        )
    if (folder / WEIGHTS).is_file():
        return
    if (folder / _PICKLE).is_file():
        raise SettingsError(
            f"{folder} has its weights as {_PICKLE} only; that is a pickle, which can run code, and is not opened. "
            f"Where you trust it, save it once as {WEIGHTS} (MarianMTModel.from_pretrained(it).save_pretrained(new)), "
            "or name another model with translation.model."
        )
    raise SettingsError(
        f"{folder} has no weights: {WEIGHTS} is missing. A hub model that has only {_PICKLE}, a pickle, is not opened; "
        "many have a safetensors version under translation.revision 'refs/pr/N'. Otherwise name another model."
    )


def _check_vocabulary(folder: Path, config: dict[str, Any], entries: dict[str, int]) -> None:
    lacking = [token for token in ("</s>", "<unk>") if token not in entries]
    if lacking or len(entries) != config.get("vocab_size"):
        raise SettingsError(
            f"{folder}/vocab.json does not belong to this model: it has {len(entries)} entries, config.json says "
            f"{config.get('vocab_size')}{', and it lacks ' + ', '.join(lacking) if lacking else ''}. "
            "Copy the vocabulary that the model was trained with."
        )


def _check_weights(folder: Path, config: dict[str, Any]) -> None:
    """Refuse files cut short and models with layers missing: transformers would fill those with random numbers."""
    path = folder / WEIGHTS
    try:
        with safe_open(path, framework="numpy") as weights:
            names = set(weights.keys())
    except (SafetensorError, OSError) as error:
        raise SourceError(f"{path} is damaged or cut short ({error}). Delete it and fetch it again.") from error
    sides = [(side, int(config.get(f"{side}_layers", 0))) for side in ("encoder", "decoder")]
    wanted = {f"model.{side}.layers.{layer}.fc1.weight" for side, layers in sides for layer in range(layers)}
    if missing := sorted({*wanted, "final_logits_bias"} - names):
        raise SourceError(
            f"{path} lacks {len(missing)} tensors of the model in config.json, {missing[0]} the first. "
            "Fetch both files again, from the same model."
        )


def _read_json(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is damaged ({error}). Expected JSON; fetch the model again.") from error
    if not isinstance(loaded, dict):
        raise SourceError(f"{path} is damaged: expected a JSON object, got {type(loaded).__name__}. Fetch it again.")
    return loaded


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for name in _OUTPUT_DEPENDS_ON:
        with (folder / name).open("rb") as file:
            total.update(name.encode() + hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:16]
