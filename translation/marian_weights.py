"""Load the weights of a Marian checkpoint with transformers, to the last tensor."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import transformers

from bitext_pivot.core.errors import SourceError, is_lack_of_memory
from bitext_pivot.core.hub import weights
from bitext_pivot.core.untrusted import shown
from bitext_pivot.translation.checkpoint import SETTING

_library: Any = transformers  # typed in part only
_POSITIONS = {f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder")}
"""Computed by transformers where a checkpoint lacks them."""


def load_model(folder: Path) -> Any:
    """Return the MarianMTModel of a checkpoint, in float32 on the CPU.

    Raises:
        SettingsError: the weights are refused, because they hold something other than tensors.
        SourceError: the weights are damaged, or do not fit config.json to the last tensor.
    """
    tensors = weights.read(weights.find(folder, SETTING))
    try:
        with weights.loading():
            config = _library.MarianConfig.from_pretrained(folder)
            model, missing, unexpected = weights.fill(_library.MarianMTModel, config, tensors)
    except Exception as error:  # a configuration of anyone makes transformers raise almost anything
        if is_lack_of_memory(error):
            raise
        raise SourceError(
            f"{folder} cannot be loaded as MarianMTModel ({shown(error)}). Expected weights that fit config.json; "
            "download both again, from the same model."
        ) from error
    missing |= {"final_logits_bias"} - tensors.keys()
    missing -= _POSITIONS - tensors.keys()
    _check_names(folder, missing, unexpected)
    return model.requires_grad_(False)


def _check_names(folder: Path, missing: Collection[str], unexpected: Collection[str]) -> None:
    """Raise SourceError for tensors that transformers fills with random numbers or drops, with a warning only."""
    if missing:
        problem = f"lacks {len(missing)} tensors of the model or has them in another shape, {min(missing)} the first"
    elif unexpected:
        problem = f"has {len(unexpected)} tensors that are no part of the model, {min(unexpected)} the first"
    else:
        return
    raise SourceError(
        f"{folder} does not fit its config.json: it {problem}. Download all files of the model again."
    )
