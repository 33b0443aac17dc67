"""MarianMT through transformers in float32: the reference; the only file that imports torch and transformers."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers

from pairs.errors import ShardError, SourceError
from translation.pieces import END, PADDING, UNKNOWN, Limits, Pieces, Row, translate_pieces

_library: Any = transformers  # typed in part only
_one_at_a_time = threading.Lock()
VERSION = ".".join(transformers.__version__.split(".")[:2])


class MarianTransformers:
    """The model, search and limits of `Marian`, by `generate`, one text at a time: slow and plain.

    Float kernels round by the shape of the whole batch, so a text alone is what makes it independent of the others.
    """

    whole_groups = False

    def __init__(self, folder: Path, pieces: Pieces, limits: Limits, *, signature: str, device: str = "cpu") -> None:
        """Load the weights from safetensors; raises SourceError when they do not fit their configuration."""
        self._ids: dict[str, int] = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        self._names = {number: piece for piece, number in self._ids.items()}
        try:
            with loading():
                model = _library.MarianMTModel.from_pretrained(folder, use_safetensors=True, dtype=torch.float32)
        except (RuntimeError, ValueError, OSError) as error:
            raise SourceError(
                f"{folder} cannot be loaded as MarianMTModel ({error}). Expected weights that fit config.json; "
                "fetch it again."
            ) from error
        self._model = model.eval().to(device)
        self._model.generation_config = self._search_as(limits)
        self._pieces, self._limits, self._device = pieces, limits, device
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return one translation a text, in order, "" where none comes to an end; raises ShardError on failure."""
        return translate_pieces(texts, self._pieces, self._limits, name="marian-transformers", search=self._search)

    def _search_as(self, limits: Limits) -> Any:
        """Say how to search, without what the checkpoint says: a forced `</s>` would hide an output cut short."""
        config, start = self._model.config, self._model.config.decoder_start_token_id
        never = [self._ids[piece] for piece in (PADDING, UNKNOWN) if piece in self._ids]
        return _library.GenerationConfig(
            num_beams=limits.beam_size,
            do_sample=False,
            min_new_tokens=1,
            decoder_start_token_id=start,
            eos_token_id=self._ids[END],
            pad_token_id=config.pad_token_id,
            bad_words_ids=[[number] for number in never],
        )

    def _search(self, rows: list[Row]) -> list[Row]:
        try:
            with torch.inference_mode():
                return [self._search_one(row) for row in rows]
        except RuntimeError as error:
            raise ShardError(
                f"torch gave up on a text ({error}). Expected a translation of each; run again, and on another device "
                "where memory is short (BITEXT_PIVOT_DEVICE)."
            ) from error

    def _search_one(self, row: Row) -> Row:
        numbers = torch.tensor([[self._ids.get(piece, self._ids[UNKNOWN]) for piece in row]], device=self._device)
        found = self._model.generate(
            input_ids=numbers,
            attention_mask=torch.ones_like(numbers),
            max_new_tokens=self._limits.longest_output(len(row)),
        )
        return [self._names[number] for number in found[0].tolist()[1:]]


@contextmanager
def loading() -> Iterator[None]:
    """Let one thread at a time load weights, without the progress bar, which comes terminal or not.

    While `from_pretrained` runs, transformers sets the default device of the whole process; two at once leave it at
    `meta` for good, and every later model has no weights.
    """
    logging = _library.utils.logging
    with _one_at_a_time:
        shown = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            yield
        finally:
            if shown:
                logging.enable_progress_bar()
