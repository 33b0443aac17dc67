"""Convert a Marian checkpoint for CTranslate2, once, into a folder that all builds share.

int8 weights use 7 of the 8 bits (-63 to 63). Processors without VNNI instructions add two products of an unsigned
and a signed byte in 16 bits. Larger weights would overflow there, and such a processor would translate one sentence
in ten differently (docs/decisions/0022).

CTranslate2's own Marian converter (4.8) uses the source vocabulary for both sides, and removes the padding token only
if both have the same size. This module registers a vocabulary for each side instead, and can limit the decoder to the
pieces of the target language (`select_output_pieces`).
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.progress import inform, warn
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.core.untrusted import shown
from bitext_pivot.translation.checkpoint import Checkpoint, read_vocabularies
from bitext_pivot.translation.kernels import ctranslate2
from bitext_pivot.translation.pieces import (
    END,
    PADDING,
    UNKNOWN,
    OutputVocabulary,
    find_source_only_pieces,
)

_LARGEST_WEIGHT = 63


def _name_precision(quantization: str) -> str:
    """Return the name of the weights' number format, which marks that our int8 uses only 7 bits."""
    return "int8-7bit" if quantization == "int8" else quantization


def describe_weights(folder: Path, quantization: str, pieces: OutputVocabulary) -> str:
    """Return the number format of the weights and, if pieces are omitted, a digest of the rest.

    The result is part of the engine's signature and of the name of the folder with the converted model.
    """
    name = _name_precision(quantization)
    if pieces == "all":
        return name
    _, target = read_vocabularies(folder)
    written = select_output_pieces(folder, pieces)
    if len(written) == len(target):
        return name
    return f"{name}-{key(sorted(written))}"


def select_output_pieces(folder: Path, pieces: OutputVocabulary) -> dict[str, int]:
    """Return the vocabulary pieces that a converted model can write, with their ids.

    If both sides of an OPUS-MT model share a vocabulary, half of its pieces never occur in the target language;
    `pieces="target"` leaves them out. Raises SourceError if a file is damaged.
    """
    source, target = read_vocabularies(folder)
    if pieces == "all" or target is not source:
        return target
    foreign = find_source_only_pieces(folder)
    return {piece: number for piece, number in target.items() if piece not in foreign}


def convert_checkpoint(
    checkpoint: Checkpoint,
    models_folder: Path,
    quantization: str,
    pieces: OutputVocabulary = "target",
) -> Path:
    """Return the folder of the converted model, after converting the checkpoint if necessary.

    A folder is reused if all files in its manifest exist and are unchanged. Otherwise it is replaced, with a
    warning in the log. Several processes may convert at the same time: each writes to a temporary folder, and
    the first to finish renames it.

    Raises:
        SettingsError: the weights are refused because they contain something other than tensors.
        SourceError: the weights are damaged or do not fit config.json, or the disk has no space for a copy.
    """
    name = checkpoint.name.replace("/", "--")
    converted = describe_weights(checkpoint.folder, quantization, pieces)
    final = models_folder / f"{name}-{checkpoint.digest}-{converted}"
    problems = manifest.problems(final)
    if not problems:
        return final
    if final.exists():
        warn(f"The converted model {final.name} is converted again: {', '.join(problems)}")
    spec = _build_specification(checkpoint.folder, quantization, pieces)
    try:
        models_folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=f".{final.name}.", suffix=".partial", dir=models_folder
        ) as work:
            finished = _write_converted_model(spec, Path(work) / "model")
            _move_into_place(finished, final, Path(work) / "damaged")
    except OSError as error:
        raise SourceError(
            f"The converted model of {checkpoint.folder} cannot be written to {models_folder} ({shown(error)}). "
            "Free disk space or check the permissions of the folder, then run again."
        ) from error
    return final


def _write_converted_model(spec: Any, target: Path) -> Path:
    """Write a CTranslate2 specification to the new folder `target`, and flush it to disk."""
    target.mkdir()
    spec.save(str(target))
    names = sorted(path.name for path in target.iterdir())
    for name in names:
        atomic.sync(target / name)
    manifest.write(target, {}, names)
    return target


def _build_specification(folder: Path, quantization: str, pieces: OutputVocabulary) -> Any:
    """Return the model of a checkpoint as a CTranslate2 specification that is ready to be saved.

    Raises SourceError if the model is of a kind that CTranslate2 does not support.
    """
    from bitext_pivot.translation.marian_weights import load_model  # torch is slow to import

    # Imported here because it imports transformers, which is not needed to run a converted model.
    converters = ctranslate2.converters.transformers
    model = load_model(folder)
    _add_start_vector(model)
    model.config.normalize_before = model.config.normalize_embedding = False
    # MarianMTLoader's own get_model_spec would remove rows of the vocabularies, such as the padding token's.
    loader = converters.MarianMTLoader()
    try:
        spec: Any = converters.BartLoader.get_model_spec(loader, model)
    except KeyError as error:  # ctranslate2 4.8 looks the function up in a dictionary
        raise SourceError(
            f"{folder} has the activation function {shown(error)}, which CTranslate2 does not support. Use another "
            "model."
        ) from error
    source, whole = read_vocabularies(folder)
    target = select_output_pieces(folder, pieces)
    if left_out := len(whole) - len(target):
        inform(
            f"The converted model writes {len(target):,} of its {len(whole):,} pieces. "
            f"The other {left_out:,} occur in source.spm only (translation.advanced.pieces)."
        )
    _keep_rows(spec.encoder.embeddings[0], source)
    _keep_rows(spec.decoder.embeddings, target)
    _keep_rows(spec.decoder.projection, target)
    if quantization == "int8":
        _quantize(spec)
    spec.register_source_vocabulary(_list_pieces(source))
    spec.register_target_vocabulary(_list_pieces(target))
    # The start token is only a name: the decoder starts from a zero vector.
    spec.config.eos_token = spec.config.decoder_start_token = END
    spec.config.unk_token = UNKNOWN
    spec.validate()
    spec.optimize(quantization=None if quantization == "int8" else quantization)
    return spec


def _quantize(layer: Any) -> None:
    """Quantize the matrices of a layer and its sublayers to 7 bits, with one scale per row."""
    if hasattr(layer, "weight_scale"):
        weight = numpy.asarray(layer.weight, dtype=numpy.float32)
        largest = numpy.maximum(
            numpy.abs(weight).max(axis=1), numpy.finfo(numpy.float32).tiny * _LARGEST_WEIGHT
        )
        layer.weight_scale = (_LARGEST_WEIGHT / largest).astype(numpy.float32)
        layer.weight = numpy.rint(weight * layer.weight_scale[:, None]).astype(numpy.int8)
    for value in vars(layer).values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ctranslate2.specs.LayerSpec):
                _quantize(child)


def _list_pieces(vocabulary: dict[str, int]) -> list[str]:
    """Return the pieces of a vocabulary in the order of their ids, without the padding token.

    Without it, the model cannot write padding.
    """
    return [piece for piece in sorted(vocabulary, key=vocabulary.__getitem__) if piece != PADDING]


def _keep_rows(layer: Any, vocabulary: dict[str, int]) -> None:
    rows = [vocabulary[piece] for piece in _list_pieces(vocabulary)]
    layer.weight = layer.weight[rows]
    if hasattr(layer, "has_bias") and layer.has_bias():
        layer.bias = layer.bias[rows]


def _add_start_vector(model: Any) -> None:
    """Add the embedding of the decoder's start token to the first position embedding.

    Only the start token has the first position. In CTranslate2, Marian decoders start from a zero vector, as in
    Marian's own training. Training with transformers changes the start vector (the embedding of the padding token);
    without this step, the first words of a translation would differ.
    """
    decoder = model.get_decoder()
    start = decoder.embed_tokens.weight.data[model.config.decoder_start_token_id]
    scale = model.config.d_model**0.5 if model.config.scale_embedding else 1.0
    decoder.embed_positions.weight.data[0] += scale * start


def _move_into_place(finished: Path, final: Path, damaged: Path) -> None:
    """Rename the folder `finished` to `final`, after moving a damaged `final` to `damaged`.

    If another process has created `final` first, that folder is kept, because it has the same content.
    """
    if final.exists() and manifest.problems(final):
        final.rename(damaged)
    try:
        finished.rename(final)
    except OSError:
        if manifest.problems(final):
            raise
    atomic.sync(final.parent)
