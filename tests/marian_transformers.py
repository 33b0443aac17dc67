"""MarianMT through `generate` of transformers, in float32: what the tests compare the engine with."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from bitext_pivot.translation.checkpoint import vocabularies
from bitext_pivot.translation.engine import TranslatedText
from bitext_pivot.translation.marian_weights import load_model
from bitext_pivot.translation.pieces import (
    END,
    PADDING,
    UNKNOWN,
    Hypothesis,
    Limits,
    Pieces,
    Row,
    translate_pieces,
)

_library: Any = transformers  # typed in part only


def reference(folder: Path, *, beam_size: int = 4, max_tokens: int = 60) -> "MarianTransformers":
    """Return the engine of a checkpoint that reads French."""
    positions = json.loads((folder / "config.json").read_text(encoding="utf-8"))[
        "max_position_embeddings"
    ]
    pieces = Pieces(folder, prefix="", punctuation="moses", language="fr")
    limits = Limits(beam_size=beam_size, max_tokens=max_tokens, max_ratio=3.0, positions=positions)
    return MarianTransformers(folder, pieces, limits, signature="test")


class MarianTransformers:
    """The model, search and limits of `Marian` with `generate`, one text at a time.

    Float kernels round by the shape of the whole batch, so only single texts are independent of each other.
    """

    gpus = 0

    def __init__(
        self, folder: Path, pieces: Pieces, limits: Limits, *, signature: str, device: str = "cpu"
    ) -> None:
        """Load the model. Raises SourceError or SettingsError as `load_model` does."""
        self._source, self._target = vocabularies(folder)
        self._names = {number: piece for piece, number in self._target.items()}
        self._never = [self._target[piece] for piece in (PADDING, UNKNOWN) if piece in self._target]
        self._model = load_model(folder).to(device)
        self._model.generation_config = self._search_as(limits)
        self._pieces, self._limits, self._device = pieces, limits, device
        self.signature = signature

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, "" where none ends within the limit. Raises ShardError."""
        return translate_pieces(texts, self._pieces, self._limits, self.search)

    def _search_as(self, limits: Limits) -> Any:
        """Return the search settings without those of the checkpoint: a forced `</s>` would hide truncated output."""
        config, start = self._model.config, self._model.config.decoder_start_token_id
        return _library.GenerationConfig(
            num_beams=limits.beam_size,
            do_sample=False,
            min_new_tokens=1,
            decoder_start_token_id=start,
            eos_token_id=self._target[END],
            pad_token_id=config.pad_token_id,
            bad_words_ids=[[number] for number in self._never],
        )

    def search(self, rows: list[Row]) -> list[Hypothesis]:
        with torch.inference_mode():
            return [self._search_one(row) for row in rows]

    def _search_one(self, row: Row) -> Hypothesis:
        """Search, then read the output once more for its score, as CTranslate2 computes it.

        `generate` has it as `sequences_scores`, but not for greedy search, only with the probabilities of all pieces at
        all steps in memory, and with a share of probability for the pieces that are never written.
        """
        numbers = torch.tensor(
            [[self._source.get(piece, self._source[UNKNOWN]) for piece in row]], device=self._device
        )
        source = {"input_ids": numbers, "attention_mask": torch.ones_like(numbers)}
        output = self._model.generate(
            **source, max_new_tokens=self._limits.longest_output(len(row))
        )
        logits = self._model(**source, decoder_input_ids=output[:, :-1]).logits
        logits[..., self._never] = -math.inf
        score = logits.log_softmax(-1).gather(-1, output[:, 1:, None]).mean().item()
        return [self._names[number] for number in output[0].tolist()[1:]], score
