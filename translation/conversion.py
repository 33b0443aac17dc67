"""Convert a Marian checkpoint for CTranslate2, once, into a folder that all builds share.

CTranslate2's own converter for Marian (4.8) gives both sides the vocabulary of the source, and removes the padding of
both only where they have the same size. So the vocabularies are registered here, one per side.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

from pairs.errors import SourceError
from translation.checkpoint import Checkpoint, source_vocabulary, target_vocabulary
from translation.kernels import ctranslate2
from translation.pieces import END, PADDING, UNKNOWN

_converters = ctranslate2.converters.transformers


def convert(checkpoint: Checkpoint, models_folder: Path, quantization: str) -> Path:
    """Return the folder of the converted model, made now unless it is there.

    Safe for several processes at once: each works under a name of its own, whoever is first gives the folder its
    final name, and a folder of that name is whole.

    Raises:
        SettingsError: the weights are refused, because they hold something other than tensors.
        SourceError: the weights are damaged or do not fit config.json, or there is no space for a copy.
    """
    final = models_folder / f"{checkpoint.name.replace('/', '--')}-{checkpoint.digest}-{quantization}"
    if final.is_dir():
        return final
    try:
        models_folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{final.name}.", suffix=".partial", dir=models_folder) as work:
            made = _convert(checkpoint.folder, Path(work) / "model", quantization)
            _rename(made, final)
    except (RuntimeError, ValueError, KeyError, OSError) as error:
        raise SourceError(
            f"{checkpoint.folder} cannot be converted for CTranslate2 ({type(error).__name__}: {error}). Expected a "
            f"Marian checkpoint, and space for a copy in {models_folder}; free some, or download the model again."
        ) from error
    return final


def _convert(source: Path, target: Path, quantization: str) -> Path:
    _Converter(source).convert(str(target), quantization=quantization)
    for path in (*target.iterdir(), target):
        _sync(path)
    return target


class _Converter(ctranslate2.converters.Converter):  # type: ignore[misc]
    """Reads a checkpoint's folder into the specification that CTranslate2 quantizes and saves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _load(self) -> Any:
        from translation.marian_transformers import load_model  # torch and transformers take seconds to import

        model = load_model(self._folder)
        _keep_start(model)
        spec = _Loader().get_model_spec(model)
        source, target = source_vocabulary(self._folder), target_vocabulary(self._folder)
        _keep_rows(spec.encoder.embeddings[0], source)
        _keep_rows(spec.decoder.embeddings, target)
        _keep_rows(spec.decoder.projection, target)
        spec.register_source_vocabulary(_pieces(source))
        spec.register_target_vocabulary(_pieces(target))
        spec.config.eos_token = spec.config.decoder_start_token = END  # the decoder starts from zeros, not from a piece
        spec.config.unk_token = UNKNOWN
        return spec


class _Loader(_converters.MarianMTLoader):  # type: ignore[misc, name-defined]
    def get_model_spec(self, model: Any) -> Any:
        """Return the specification with all rows of both vocabularies, the padding's among them."""
        model.config.normalize_before = model.config.normalize_embedding = False
        return _converters.BartLoader.get_model_spec(self, model)


def _pieces(vocabulary: dict[str, int]) -> list[str]:
    """Return the pieces in the order of their numbers, without the padding: the model must never write it."""
    return [piece for piece in sorted(vocabulary, key=vocabulary.__getitem__) if piece != PADDING]


def _keep_rows(layer: Any, vocabulary: dict[str, int]) -> None:
    rows = [vocabulary[piece] for piece in _pieces(vocabulary)]
    layer.weight = layer.weight[rows]
    if hasattr(layer, "has_bias") and layer.has_bias():
        layer.bias = layer.bias[rows]


def _keep_start(model: Any) -> None:
    """Move the vector that the decoder starts from into its position 0, where only the start ever stands.

    CTranslate2 lets every Marian decoder start from zeros, which is what Marian trains. Training with transformers
    moves the vector (it is the padding's), and the first words would come out other than trained.
    """
    decoder = model.get_decoder()
    start = decoder.embed_tokens.weight.data[model.config.decoder_start_token_id]
    scale = model.config.d_model**0.5 if model.config.scale_embedding else 1.0
    decoder.embed_positions.weight.data[0] += scale * start


def _rename(made: Path, final: Path) -> None:
    """Give the finished folder its name; when another process was first, its folder is the same and stays."""
    try:
        made.rename(final)
    except OSError:
        if not final.is_dir():
            raise
    _sync(final.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
