"""Convert a Marian checkpoint for CTranslate2, once, into a folder that all builds share, with a manifest of its files.

int8 weights use 7 of the 8 bits (-63 to 63). Processors without VNNI add two products of an unsigned and a signed byte
in 16 bits, which larger weights overflow: such a processor would translate one sentence in ten differently
(docs/decisions/0022).

CTranslate2's own converter for Marian (4.8) gives both sides the source vocabulary, and removes the padding of both
only if they have the same size. So the vocabularies are registered here, one per side, and the decoder may
have only the pieces of its language (`written_pieces`).
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
from bitext_pivot.translation.checkpoint import Checkpoint, vocabularies
from bitext_pivot.translation.kernels import ctranslate2
from bitext_pivot.translation.pieces import END, PADDING, UNKNOWN, Written, foreign_pieces

_LARGEST_WEIGHT = 63


def precision(quantization: str) -> str:
    """Return the format of converted weights."""
    return "int8-7bit" if quantization == "int8" else quantization


def weights_name(folder: Path, quantization: str, pieces: Written) -> str:
    """Return the format of converted weights and, if pieces are left out, a digest of those that are written.

    It is part of the folder's name and of the engine's signature.
    """
    name = precision(quantization)
    if pieces == "all":
        return name
    _, target = vocabularies(folder)
    written = written_pieces(folder, pieces)
    if len(written) == len(target):
        return name
    return f"{name}-{key(sorted(written))}"


def written_pieces(folder: Path, pieces: Written) -> dict[str, int]:
    """Return the number of each piece that a converted model can write.

    With one vocabulary for both sides, half of the pieces of an OPUS-MT model are in no text of the target
    language; `target` leaves them out. Raises SourceError if a file is damaged.
    """
    source, target = vocabularies(folder)
    if pieces == "all" or target is not source:
        return target
    foreign = foreign_pieces(folder)
    return {piece: number for piece, number in target.items() if piece not in foreign}


def convert(
    checkpoint: Checkpoint, models_folder: Path, quantization: str, pieces: Written = "target"
) -> Path:
    """Return the folder of the converted model, converting it unless all files of its manifest are there unchanged.

    Safe for several processes at once: each writes to a temporary folder, the first one renames it to the final name.
    A folder that differs from its manifest is replaced, which is logged.

    Raises:
        SettingsError: the weights are refused because they contain something other than tensors.
        SourceError: the weights are damaged or do not fit config.json, or there is no space for a copy.
    """
    name = checkpoint.name.replace("/", "--")
    converted = weights_name(checkpoint.folder, quantization, pieces)
    final = models_folder / f"{name}-{checkpoint.digest}-{converted}"
    problems = manifest.problems(final)
    if not problems:
        return final
    if final.exists():
        warn(f"The converted model {final.name} is converted again: {', '.join(problems)}")
    try:
        models_folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=f".{final.name}.", suffix=".partial", dir=models_folder
        ) as work:
            _rename(
                _convert(checkpoint.folder, Path(work) / "model", quantization, pieces),
                final,
                Path(work) / "damaged",
            )
    except (
        RuntimeError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        AssertionError,
        OSError,
    ) as error:
        raise SourceError(
            f"{checkpoint.folder} cannot be converted for CTranslate2 ({type(error).__name__}: {shown(error)}). "
            f"Expected a Marian checkpoint, and space for a copy in {models_folder}; free some, or download the model "
            "again."
        ) from error
    return final


def _convert(source: Path, target: Path, quantization: str, pieces: Written) -> Path:
    """Write the converted model of folder `source` to the new folder `target`, and flush it to disk."""
    is_int8 = quantization == "int8"
    spec = _specification(source, pieces, is_int8=is_int8)
    spec.validate()
    spec.optimize(quantization=None if is_int8 else quantization)
    target.mkdir()
    spec.save(str(target))
    names = sorted(path.name for path in target.iterdir())
    for name in names:
        atomic.sync(target / name)
    manifest.write(target, {}, names)
    return target


def _specification(folder: Path, pieces: Written, *, is_int8: bool) -> Any:
    """Return the model of a checkpoint as CTranslate2 saves it."""
    from bitext_pivot.translation.marian_weights import load_model  # torch is slow to import

    converters = (
        ctranslate2.converters.transformers
    )  # imports transformers, which a converted model does not need
    model = load_model(folder)
    _keep_start(model)
    model.config.normalize_before = model.config.normalize_embedding = False
    # not by MarianMTLoader's own method, which leaves out rows of the vocabularies, the padding's among them
    spec: Any = converters.BartLoader.get_model_spec(converters.MarianMTLoader(), model)
    source, whole = vocabularies(folder)
    target = written_pieces(folder, pieces)
    if left_out := len(whole) - len(target):
        inform(
            f"The converted model writes {len(target):,} of its {len(whole):,} pieces. "
            f"{left_out:,} are left out: source.spm has them and target.spm has not "
            "(translation.advanced.pieces)."
        )
    _keep_rows(spec.encoder.embeddings[0], source)
    _keep_rows(spec.decoder.embeddings, target)
    _keep_rows(spec.decoder.projection, target)
    if is_int8:
        _quantize(spec)
    spec.register_source_vocabulary(_pieces(source))
    spec.register_target_vocabulary(_pieces(target))
    spec.config.eos_token = spec.config.decoder_start_token = (
        END  # the decoder starts from zeros, not from a piece
    )
    spec.config.unk_token = UNKNOWN
    return spec


def _quantize(layer: Any) -> None:
    """Replace the matrices below a layer of the specification by integers from -63 to 63 and a scale per row."""
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


def _pieces(vocabulary: dict[str, int]) -> list[str]:
    """Return the pieces in the order of their numbers, without the padding, which the model must never write."""
    return [piece for piece in sorted(vocabulary, key=vocabulary.__getitem__) if piece != PADDING]


def _keep_rows(layer: Any, vocabulary: dict[str, int]) -> None:
    rows = [vocabulary[piece] for piece in _pieces(vocabulary)]
    layer.weight = layer.weight[rows]
    if hasattr(layer, "has_bias") and layer.has_bias():
        layer.bias = layer.bias[rows]


def _keep_start(model: Any) -> None:
    """Add the vector that the decoder starts from to its position 0, which only the start symbol has.

    CTranslate2 lets every Marian decoder start from zeros, as Marian trains it. Training with transformers changes the
    vector (that of the padding), and the first words would come out differently.
    """
    decoder = model.get_decoder()
    start = decoder.embed_tokens.weight.data[model.config.decoder_start_token_id]
    scale = model.config.d_model**0.5 if model.config.scale_embedding else 1.0
    decoder.embed_positions.weight.data[0] += scale * start


def _rename(finished: Path, final: Path, damaged: Path) -> None:
    """Rename a finished folder; if another process was first, its folder is the same and stays."""
    if final.exists() and manifest.problems(final):
        final.rename(damaged)
    try:
        finished.rename(final)
    except OSError:
        if manifest.problems(final):
            raise
    atomic.sync(final.parent)
