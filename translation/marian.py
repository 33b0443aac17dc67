"""The default engine: MarianMT in CTranslate2, loaded from a folder of converted weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError, ShardError, SourceError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.gpu_batches import run_halving, token_batches
from bitext_pivot.translation.engine import TranslatedText
from bitext_pivot.translation.kernels import KERNELS, count_gpus, ctranslate2
from bitext_pivot.translation.pieces import (
    Hypothesis,
    PieceRow,
    PieceTokenizer,
    SearchLimits,
    batch_equal_lengths,
    encode_search_decode,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputeOptions:
    """How and where a Marian model computes. Only quantization and device affect translations."""

    quantization: str
    device: Device = "cpu"
    threads: int = 1
    batch: int = 8
    """Texts per batch on a CPU. With 4 hypotheses per text, batches of 8 are 1.5 times as fast as batches of 32,
    and need less memory."""
    tokens: int = 65_536
    """Vocabulary pieces per batch on a GPU, padding included."""
    streams: int = 2
    """Batches that a GPU computes at the same time, with shared weights: one computes while another waits."""

    @property
    def compute_type(self) -> str:
        """The `compute_type` for CTranslate2: on a GPU, int8 becomes int8_float16.

        Weights are then multiplied in int8, and everything else is computed in float16.
        """
        return (
            "int8_float16"
            if (self.quantization, self.device) == ("int8", "cuda")
            else self.quantization
        )

    @property
    def batch_limit(self) -> int:
        """Maximum texts per batch on a CPU for which results are the same as for one text at a time."""
        return self.batch if self.quantization == "int8" and self.device == "cpu" else 1

    @property
    def kernels(self) -> str:
        """Name of the CPU or GPU kernels, for the engine's signature."""
        return KERNELS if self.device == "cpu" else f"{self.device}:{self.compute_type}"


class MarianEngine:
    """A Marian model in CTranslate2, which translates batches of texts on the CPU or on GPUs.

    There are `threads` translators with one thread each on the CPU, or `streams` translators on each visible
    GPU; a batch goes to the first one that is free. Batches contain texts of equal length on the CPU, and
    padded texts on GPUs.

    int8 kernels multiply integers and scale each row separately, so a translation is bit-identical whether a text
    is translated alone or in a batch of equal lengths. Float kernels round differently for each batch shape, so on
    the CPU other quantizations translate one text at a time. Results may still differ between types of processor,
    because their kernels differ.
    """

    def __init__(
        self,
        folder: Path,
        pieces: PieceTokenizer,
        limits: SearchLimits,
        compute: ComputeOptions,
        *,
        signature: str,
    ) -> None:
        """Load the converted model in `folder`.

        Raises SettingsError if the device does not support the quantization, SourceError if the model cannot be loaded.
        """
        _check_device(compute)
        self.gpus = count_gpus(compute.device)
        try:
            self._translator = ctranslate2.Translator(
                str(folder),
                device=compute.device,
                compute_type=compute.compute_type,
                device_index=list(range(self.gpus)) or 0,
                inter_threads=compute.streams if self.gpus else compute.threads,
                intra_threads=1,
            )
        except (RuntimeError, OSError) as error:
            raise SourceError(
                f"The converted model {folder} is complete, but CTranslate2 cannot load it ({error}). Free "
                "memory, or install the version of CTranslate2 in constraints.txt."
            ) from error
        self._pieces, self._limits, self._compute = pieces, limits, compute
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order; empty if it did not end within its limit.

        Raises ShardError if CTranslate2 fails.
        """
        return encode_search_decode(texts, self._pieces, self._limits, self.search)

    def search(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Return the best hypothesis for each row of source pieces, with its score."""
        try:
            return self._search_padded(rows) if self.gpus else self._search_equal(rows)
        except (RuntimeError, ValueError) as error:
            remedy = "BITEXT_PIVOT_DEVICE=cpu" if self.gpus else "a smaller BITEXT_PIVOT_THREADS"
            raise ShardError(
                f"CTranslate2 failed on device {self._compute.device!r} ({error}). Expected a translation per text; "
                f"run again, with {remedy} if memory is short."
            ) from error

    def _search_padded(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Translate rows in padded batches, all of which are queued before the first result is read.

        The longest text of a batch sets the length limit of the batch. An output over the limit of its own text is
        discarded.
        """
        outputs: list[Hypothesis] = [([], 0.0) for _ in rows]
        batches = list(token_batches([len(row) for row in rows], self._compute.tokens))
        running = [[self._start([rows[index] for index in batch])] for batch in batches]
        for batch, started in zip(batches, running, strict=True):

            def search(part: Sequence[PieceRow], started: list[Any] = started) -> list[Hypothesis]:
                return _wait_for_hypotheses(started.pop() if started else self._start(part))

            written = run_halving([rows[index] for index in batch], search)
            for index, (row, score) in zip(batch, written, strict=True):
                if len(row) <= self._limits.longest_output(len(rows[index])):
                    outputs[index] = row, score
        return outputs

    def _search_equal(self, rows: list[PieceRow]) -> list[Hypothesis]:
        """Translate rows in batches of equal length, which are all queued before a result is read."""
        outputs: list[Hypothesis] = [([], 0.0) for _ in rows]
        batches = list(batch_equal_lengths(rows, self._compute.batch_limit))
        running = [self._start([rows[index] for index in batch]) for batch in batches]
        for batch, results in zip(batches, running, strict=True):
            for index, hypothesis in zip(batch, _wait_for_hypotheses(results), strict=True):
                outputs[index] = hypothesis
        return outputs

    def _start(self, rows: Sequence[PieceRow]) -> Any:
        """Queue a batch whose first row is the longest, and return its pending results.

        CTranslate2's own limit of 1,024 input pieces is turned off. With CTranslate2's default length penalty of 1,
        a score is the sum of log-probabilities divided by the number of pieces, `</s>` included.
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


def _wait_for_hypotheses(results: Any) -> list[Hypothesis]:
    """Wait for the results of a batch and return the best hypothesis of each row."""
    finished = [result.result() for result in results]
    return [(list(result.hypotheses[0]), result.scores[0]) for result in finished]


def _check_device(compute: ComputeOptions) -> None:
    try:
        supported = ctranslate2.get_supported_compute_types(compute.device)
    except RuntimeError as error:
        raise SettingsError(
            f"There is no device {compute.device!r} on this machine ({error}). Set BITEXT_PIVOT_DEVICE to cpu."
        ) from error
    if compute.compute_type not in supported:
        raise SettingsError(
            f"The device {compute.device!r} of this machine does not compute in {compute.compute_type!r}. "
            f"Set translation.advanced.quantization to one of {', '.join(sorted(supported))}."
        )
