"""MarianMT through CTranslate2: the default engine. This is the only file that imports ctranslate2.

A checkpoint is converted once into a folder that all builds share; transformers and torch are needed for that alone.
"""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import ctranslate2

from pairs.errors import SettingsError, ShardError, SourceError
from translation.checkpoint import Checkpoint
from translation.pieces import Limits, Pieces, Row, equal_lengths, translate_pieces

VERSION = ".".join(ctranslate2.__version__.split(".")[:2])
_AT_ONCE = 8  # with beam 4 on a CPU faster than 32 by half, and smaller by half


class Marian:
    """A Marian model in CTranslate2: `threads` translators of one thread each, batches of equal length.

    int8 multiplies whole numbers and scales each row by itself, so a batch of equal length gives the very bits that a
    text gives alone. Kernels for floats round by the shape of the whole batch, so other quantisations run one text at
    a time. The bits may differ between kinds of processor, whose kernels differ.
    """

    def __init__(
        self,
        folder: Path,
        pieces: Pieces,
        limits: Limits,
        *,
        signature: str,
        quantization: str,
        threads: int = 1,
        device: str = "cpu",
        at_once: int | None = None,
    ) -> None:
        """Load a converted folder; raises SettingsError when the device cannot compute so, SourceError when damaged."""
        supported = ctranslate2.get_supported_compute_types(device)
        if quantization not in supported:
            raise SettingsError(
                f"This machine's {device} does not compute in {quantization!r}. "
                f"Choose translation.quantization among {', '.join(sorted(supported))}."
            )
        try:
            self._translator = ctranslate2.Translator(
                str(folder), device=device, compute_type=quantization, inter_threads=threads, intra_threads=1
            )
        except RuntimeError as error:
            raise SourceError(
                f"The converted model {folder} cannot be loaded ({error}). Delete that folder: it will be made anew."
            ) from error
        self._pieces, self._limits = pieces, limits
        self._at_once = at_once or (_AT_ONCE if quantization == "int8" and device == "cpu" else 1)
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return one translation a text, in order, "" where none comes to an end; raises ShardError on failure."""
        return translate_pieces(texts, self._pieces, self._limits, name="marian", search=self._search)

    def _search(self, rows: list[Row]) -> list[Row]:
        batches = list(equal_lengths(rows, self._at_once))
        outputs: list[Row] = [[] for _ in rows]
        try:
            running = [self._start([rows[place] for place in batch]) for batch in batches]
            for batch, results in zip(batches, running, strict=True):
                for place, result in zip(batch, results, strict=True):
                    outputs[place] = result.result().hypotheses[0]
        except (RuntimeError, ValueError) as error:
            raise ShardError(
                f"CTranslate2 gave up on a batch ({error}). Expected a translation of each text; run again, and with "
                "fewer threads where memory is short (BITEXT_PIVOT_THREADS)."
            ) from error
        return outputs

    def _start(self, rows: list[Row]) -> list[ctranslate2.AsyncTranslationResult]:
        """Queue a batch of rows of one length. CTranslate2's own cut at 1,024 input pieces is switched off."""
        return self._translator.translate_batch(
            rows,
            asynchronous=True,
            beam_size=self._limits.beam_size,
            max_input_length=0,
            max_decoding_length=self._limits.longest_output(len(rows[0])),
            disable_unk=True,
            return_end_token=True,
        )


def convert(checkpoint: Checkpoint, models_folder: Path, quantization: str) -> Path:
    """Return the folder of the converted model, made now unless it is there.

    Safe for several processes at once: each works under a name of its own, whoever is first gives the folder its
    final name, and a folder of that name is whole. Raises SourceError when the weights do not fit their configuration.
    """
    final = models_folder / f"{checkpoint.name.replace('/', '--')}-{checkpoint.digest}-{quantization}"
    if final.is_dir():
        return final
    models_folder.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{final.name}.", suffix=".partial", dir=models_folder))
    try:
        _convert(checkpoint.folder, work / "model", quantization)
        _rename(work / "model", final)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return final


def _convert(source: Path, target: Path, quantization: str) -> None:
    from translation.marian_transformers import quiet  # torch and transformers load for seconds; needed once a model

    try:
        with quiet():
            ctranslate2.converters.TransformersConverter(str(source)).convert(str(target), quantization=quantization)
        for path in (*target.iterdir(), target):
            _sync(path)
    except (RuntimeError, ValueError, KeyError, OSError) as error:
        raise SourceError(
            f"{source} cannot be converted for CTranslate2 ({type(error).__name__}: {error}). Expected a Marian "
            "checkpoint whose weights fit its config.json and space for a copy; fetch it again or free space."
        ) from error


def _rename(made: Path, final: Path) -> None:
    """Give the finished folder its name; when another process was first, its folder is the same and stays."""
    try:
        made.rename(final)
    except OSError:
        if not final.is_dir():
            raise


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
