"""Models that score pairs: their files, the digest that identifies them, and loading through transformers."""

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import hub, pretrained, weights

DEFAULT_SETTING = "filters.advanced.bertscore.model"
tokenizer_lock = threading.Lock()
"""Held while a fast tokenizer works: two threads may not use one at the same time."""


@dataclass(frozen=True, slots=True)
class EncoderCheckpoint:
    """A model on disk, used up to layer `layer`; `digest` changes when its weights or its tokenizer do."""

    name: str
    folder: Path
    layer: int
    digest: str
    setting: str = field(default=DEFAULT_SETTING, compare=False)
    """Name of the setting that holds the model, for messages; filters with one model share it."""


@weights.load_once
def fetch_checkpoint(
    model: str, layer: int | None, *, revision: str | None = None, setting: str = DEFAULT_SETTING
) -> EncoderCheckpoint:
    """Return a model given by package, folder or hub name, downloading its files. Nothing is loaded.

    Without `layer` it is used up to its last one.

    Raises:
        SettingsError: it is none of these, has no weights in a format that is read here, or has fewer layers.
        SourceError: it cannot be downloaded, or its files are damaged.
    """
    local = hub.fetch(model, choose=hub.choose_files, setting=setting, revision=revision)
    layers = int(local.config.get("num_hidden_layers") or local.config.get("n_layers") or 0)
    layer = layers if layer is None else layer
    if not 1 <= layer <= layers:
        raise SettingsError(
            f"The encoder {model!r} has {layers} layers; layer {layer} cannot be compared."
        )
    return EncoderCheckpoint(model, local.folder, layer, hub.digest(local.folder), setting)


def load_model_and_tokenizer(
    checkpoint: EncoderCheckpoint,
    kind: Literal["AutoModel", "AutoModelForSequenceClassification"],
    **options: object,
) -> tuple[Any, Any]:
    """Return the model, in float32 for inference, and its tokenizer; `options` replace values of config.json.

    An encoder may lack the weights of its pooler.

    Raises:
        SettingsError: transformers cannot load it, its weights are incomplete or refused, or its tokenizer differs.
        SourceError: the weights are damaged.
    """
    hub.refuse_changed(checkpoint.folder, checkpoint.digest, hub.digest(checkpoint.folder))
    subject = f"{checkpoint.setting} is {checkpoint.name!r}, which"
    lack: pretrained.Lack = "pooler" if kind == "AutoModel" else "nothing"
    tokenizer = pretrained.tokenizer(checkpoint.folder, subject)
    model = pretrained.model(
        checkpoint.folder, kind, subject, setting=checkpoint.setting, lack=lack, **options
    )
    model.requires_grad_(False)
    pretrained.check_fit(model, tokenizer, subject)
    return model, tokenizer


def first_position_id(config: Any) -> int:
    """Return the number of a text's first position: RoBERTa's positions begin after the padding's number."""
    return int(config.pad_token_id) + 1 if "roberta" in config.model_type else 0


def max_tokens(config: Any, tokenizer: Any) -> int:
    """Return the maximum number of tokens of a text, special ones included."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    return int(min(tokenizer.model_max_length, positions - first_position_id(config)))
