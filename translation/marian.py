"""Translate with MarianMT through CTranslate2, the default engine, from folders that `conversion.convert` wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError, ShardError, SourceError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.padded import run_halving, token_batches
from bitext_pivot.translation.engine import TranslatedText
from bitext_pivot.translation.kernels import KERNELS, ctranslate2, gpus
from bitext_pivot.translation.pieces import (
    Hypothesis,
    Limits,
    PieceRow,
    Pieces,
    equal_lengths,
    translate_pieces,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compute:
    """How and where a model runs. Only the quantization and the device change outputs."""

    quantization: str
    device: Device = "cpu"
    threads: int = 1
    batch: int = 8
    """Texts per batch on a CPU; with beam 4 faster than 32 by half, with less memory."""
    tokens: int = 65_536
    """Pieces per batch on a GPU, padding included."""
    streams: int = 2
    """Batches that a GPU computes at once: one goes on while another waits. They share the weights."""

    @property
    def arithmetic(self) -> str:
        """The compute type: int8 weights are multiplied in int8 and the rest in float16 on a GPU."""
        return (
            "int8_float16"
            if (self.quantization, self.device) == ("int8", "cuda")
            else self.quantization
        )

    @property
    def at_once(self) -> int:
        """Return how many texts of equal length may share a batch without changing a bit."""
        return self.batch if self.quantization == "int8" and self.device == "cpu" else 1

    @property
    def kernels(self) -> str:
        """Name of the kernels, for the signature."""
        return KERNELS if self.device == "cpu" else f"{self.device}:{self.arithmetic}"


class Marian:
    """A Marian model in CTranslate2: `threads` translators of one thread each, batches of texts of equal length.

    Each visible GPU has `streams` translators; a batch goes to the first that is free.

    int8 multiplies integers and scales each row by itself, so in a batch of equal lengths each text gets the same bits
    as alone. Kernels for floats round by the shape of the whole batch, so other quantizations run one text at a time.
    The bits may differ between types of processor, whose kernels differ.
    """

    def __init__(
        self, folder: Path, pieces: Pieces, limits: Limits, compute: Compute, *, signature: str
    ) -> None:
        """Load a converted folder.

        Raises SettingsError if the device does not support the quantization, SourceError if it cannot be loaded.
        """
        _check_device(compute)
        self.gpus = gpus(compute.device)
        try:
            self._translator = ctranslate2.Translator(
                str(folder),
                device=compute.device,
                compute_type=compute.arithmetic,
                device_index=list(range(self.gpus)) or 0,
                inter_threads=compute.streams if self.gpus else compute.threads,
                intra_threads=1,
            )
        except (RuntimeError, OSError) as error:
            raise SourceError(
                f"The converted model {folder} is as it was written, and CTranslate2 cannot load it ({error}). Free "
                "memory, or install the version of CTranslate2 in constraints.txt."
            ) from error
        self._pieces, self._limits, self._compute = pieces, limits, compute
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, "" where none ends within the limit. Raises ShardError."""
        return translate_pieces(texts, self._pieces, self._limits, self.search)

    def search(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Return the best translation of each row of pieces, and its score."""
        try:
            return self._search_padded(rows) if self.gpus else self._search_equal(rows)
        except (RuntimeError, ValueError) as error:
            remedy = "BITEXT_PIVOT_DEVICE=cpu" if self.gpus else "a smaller BITEXT_PIVOT_THREADS"
            raise ShardError(
                f"CTranslate2 failed on device {self._compute.device!r} ({error}). Expected a translation per text; "
                f"run again, where memory is short with {remedy}."
            ) from error

    def _search_padded(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Search in padded batches, all queued. An output over its own text's limit counts as one without an end."""
        outputs: list[Hypothesis] = [([], 0.0) for _ in rows]
        batches = list(token_batches([len(row) for row in rows], self._compute.tokens))
        running = [[self._start([rows[index] for index in batch])] for batch in batches]
        for batch, started in zip(batches, running, strict=True):

            def search(part: Sequence[PieceRow], started: list[Any] = started) -> list[Hypothesis]:
                return _hypotheses(started.pop() if started else self._start(part))

            written = run_halving([rows[index] for index in batch], search)
            for index, (row, score) in zip(batch, written, strict=True):
                if len(row) <= self._limits.longest_output(len(rows[index])):
                    outputs[index] = row, score
        return outputs

    def _search_equal(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Search in batches of equal length; all are queued before the first result is waited for."""
        outputs: list[Hypothesis] = [([], 0.0) for _ in rows]
        batches = list(equal_lengths(rows, self._compute.at_once))
        running = [self._start([rows[index] for index in batch]) for batch in batches]
        for batch, results in zip(batches, running, strict=True):
            for index, hypothesis in zip(batch, _hypotheses(results), strict=True):
                outputs[index] = hypothesis
        return outputs

    def _start(self, rows: Sequence[PieceRow]) -> Any:
        """Queue a batch, the longest row first. CTranslate2's own cut at 1,024 input pieces is switched off.

        With the default length penalty of 1 a score is the sum of log-probabilities divided by the number of pieces,
        `</s>` included.
        """
        return self._translator.translate_batch(
            list(rows),
            asynchronous=True,
            beam_size=self._limits.beam_size,
            max_input_length=0,
            min_decoding_length=1,
            max_decoding_length=self._limits.longest_output(len(rows[0])),
            disable_unk=True,
            return_end_token=True,
            return_scores=True,
        )


def _hypotheses(results: Any) -> list[Hypothesis]:
    """Wait for the results of a batch and return the best hypothesis of each row."""
    finished = [result.result() for result in results]
    return [(list(result.hypotheses[0]), result.scores[0]) for result in finished]


def _check_device(compute: Compute) -> None:
    try:
        supported = ctranslate2.get_supported_compute_types(compute.device)
    except RuntimeError as error:
        raise SettingsError(
            f"There is no device {compute.device!r} here ({error}). Set BITEXT_PIVOT_DEVICE to cpu."
        ) from error
    if compute.arithmetic not in supported:
        raise SettingsError(
            f"The {compute.device} here does not compute in {compute.arithmetic!r}. "
            f"Choose translation.advanced.quantization among {', '.join(sorted(supported))}."
        )
