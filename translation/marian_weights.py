"""Load the weights of a Marian checkpoint with transformers, and check every tensor."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import transformers

from bitext_pivot.core.errors import SourceError, is_out_of_memory
from bitext_pivot.core.hub import weights
from bitext_pivot.core.untrusted import shown
from bitext_pivot.translation.checkpoint import SETTING

_library: Any = transformers  # only partly typed
_POSITIONS = {f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder")}
"""Position embeddings, which transformers computes if a checkpoint lacks them."""


def load_model(folder: Path) -> Any:
    """Return the MarianMTModel of a checkpoint, in float32 on the CPU.

    Raises:
        SettingsError: the weights are refused because they contain something other than tensors.
        SourceError: the weights are damaged, or a tensor does not fit config.json.
    """
    tensors = weights.read_tensors(weights.find_weights(folder, SETTING))
    try:
        with weights.loading():
            config = _library.MarianConfig.from_pretrained(folder)
            model, missing, unexpected = weights.build_model(
                _library.MarianMTModel, config, tensors
            )
    except Exception as error:  # a bad configuration makes transformers raise almost anything
        if is_out_of_memory(error):
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
    """Raise SourceError for missing or unexpected tensors.

    transformers only warns: it fills missing tensors with random numbers and drops unexpected tensors.
    """
    if missing:
        problem = (
            f"missing tensors, or tensors of another shape: {len(missing)}, first {min(missing)}"
        )
    elif unexpected:
        problem = f"unexpected tensors: {len(unexpected)}, first {min(unexpected)}"
    else:
        return
    raise SourceError(
        f"{folder} does not fit its config.json: {problem}. Download all files of the model again."
    )
