"""Find, identify and load models for filters, with the transformers library."""

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import hub, pretrained, weights

DEFAULT_SETTING = "filters.advanced.bertscore.model"
tokenizer_lock = threading.Lock()
"""Held while a fast tokenizer runs, because two threads must not use a tokenizer at the same time."""


@dataclass(frozen=True, slots=True)
class EncoderCheckpoint:
    """The files of a model on disk, of which only the layers up to `layer` are used.

    `digest` identifies the weights and the tokenizer.
    """

    name: str
    folder: Path
    layer: int
    digest: str
    setting: str = field(default=DEFAULT_SETTING, compare=False)
    """Path of the setting that names the model, for error messages. It does not distinguish checkpoints, so filters
    with the same model share one."""


@weights.load_once
def fetch_checkpoint(
    model: str, layer: int | None, *, revision: str | None = None, setting: str = DEFAULT_SETTING
) -> EncoderCheckpoint:
    """Find a model's files by package, folder or hub name, and download them if necessary.

    The weights are not loaded into memory. If `layer` is None, all layers are used. Error messages name the path
    `setting`.

    Raises:
        SettingsError: there is no such model, it has no weights in a supported format, or it has fewer layers.
        SourceError: the model cannot be downloaded, or its files are damaged.
    """
    local = hub.fetch(model, choose=hub.choose_files, setting=setting, revision=revision)
    layers = int(local.config.get("num_hidden_layers") or local.config.get("n_layers") or 0)
    layer = layers if layer is None else layer
    if not 1 <= layer <= layers:
        raise SettingsError(
            f"The encoder {model!r} has {layers} layers, but layer {layer} is requested. Choose a layer from 1 to "
            f"{layers}."
        )
    return EncoderCheckpoint(model, local.folder, layer, hub.digest(local.folder), setting)


def load_model_and_tokenizer(
    checkpoint: EncoderCheckpoint,
    kind: Literal["AutoModel", "AutoModelForSequenceClassification"],
    **options: object,
) -> tuple[Any, Any]:
    """Load a model, in float32 and ready for inference, and its tokenizer.

    `options` override values of config.json. The weights of an encoder's pooler may be missing.

    Raises:
        SettingsError: transformers cannot load the model, its weights are incomplete or refused, or its tokenizer does
            not fit.
        SourceError: the weights are damaged.
    """
    hub.refuse_changed(checkpoint.folder, checkpoint.digest, hub.digest(checkpoint.folder))
    subject = f"{checkpoint.setting} is {checkpoint.name!r}, which"
    lack: pretrained.Lack = "pooler" if kind == "AutoModel" else "nothing"
    tokenizer = pretrained.load_tokenizer(checkpoint.folder, subject)
    model = pretrained.load_model(
        checkpoint.folder, kind, subject, setting=checkpoint.setting, lack=lack, **options
    )
    model.requires_grad_(False)
    pretrained.check_fit(model, tokenizer, subject)
    return model, tokenizer


def first_position_id(config: Any) -> int:
    """Return the position id that a model gives the first token of a text.

    RoBERTa numbers positions from `pad_token_id + 1`, other models from 0.
    """
    return int(config.pad_token_id) + 1 if "roberta" in config.model_type else 0


def max_tokens(config: Any, tokenizer: Any) -> int:
    """Return the maximum number of tokens that a model accepts, special tokens included."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    return int(min(tokenizer.model_max_length, positions - first_position_id(config)))
