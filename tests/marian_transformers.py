"""What transformers writes by itself: its tokenizer, its loading, its search. The tests compare the engine with it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers

from bitext_pivot.translation.pieces import PieceRow, SearchLimits

Reference = Callable[[str], tuple[PieceRow, float]]
"""Returns the pieces of the translation of a text, and the geometric mean of their probabilities."""


def reference(folder: Path, limits: SearchLimits, *, is_scored: bool = True) -> Reference:
    """Return how a checkpoint translates without settings of its own: a forced `</s>` would hide truncated output.

    transformers has no probabilities for a model whose sides have vocabularies of their own.
    """
    library: Any = transformers  # typed in part only
    tokenizer = library.MarianTokenizer.from_pretrained(folder)
    model = library.MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval()
    path = folder / "target_vocab.json"
    vocabulary = path if path.is_file() else folder / "vocab.json"
    target = json.loads(vocabulary.read_text(encoding="utf-8"))
    names = {number: piece for piece, number in target.items()}
    never = [[number] for number, piece in names.items() if piece in {"<pad>", "<unk>"}]
    model.generation_config = library.GenerationConfig(
        num_beams=limits.beam_size, do_sample=False, min_new_tokens=1, bad_words_ids=never, eos_token_id=0,
        pad_token_id=0, decoder_start_token_id=model.config.decoder_start_token_id, output_scores=True,
        return_dict_in_generate=True,
    )  # fmt: skip

    def write(text: str) -> tuple[PieceRow, float]:
        inputs = tokenizer([text], return_tensors="pt")
        longest = limits.longest_output(inputs.input_ids.shape[1])
        found = model.generate(**inputs, max_new_tokens=longest)
        row = [names[number] for number in found.sequences[0].tolist()[1:]]
        if not is_scored:
            return row, 0.0
        steps = model.compute_transition_scores(
            found.sequences,
            found.scores,
            getattr(found, "beam_indices", None),
            normalize_logits="beam_indices" not in found,
        )
        return row, steps[0].mean().exp().item()

    return write
