"""A model of the published size of opus-mt-fr-en with RANDOM weights, for timing: its translations mean nothing.

6 + 6 layers of 512, 8 heads, inner size 2048, 59,514 entries in the joint vocabulary (300 MB), 32,000 pieces on each
side, so that 4,487 are in both. The pieces are trained on given pairs of texts, and filled up with pieces that no text
has. `</s>` never wins, so every translation is as long as it is allowed to be.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from sentencepiece.sentencepiece_model_pb2 import ModelProto  # type: ignore[attr-defined]
from transformers import MarianConfig, MarianMTModel

MARIAN: dict[str, Any] = {
    "vocab_size": 59_514, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
    "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "max_position_embeddings": 512,
    "activation_function": "swish", "scale_embedding": True, "share_encoder_decoder_embeddings": True,
    "eos_token_id": 0, "forced_eos_token_id": 0,
}  # fmt: skip
PIECES = 32_000
"""In source.spm, and in target.spm."""


def write(folder: Path, texts: Sequence[tuple[str, str]]) -> Path:
    """Write a Marian checkpoint with the pieces of pairs of foreign text and translation."""
    folder.mkdir(parents=True)
    size = MARIAN["vocab_size"]
    source, target = (
        _train_pieces([pair[side] for pair in texts], folder / f"{name}.spm")
        for side, name in enumerate(("source", "target"))
    )
    unused = PIECES - len(source)
    first = size - 1 - len({*source, *target}) - (PIECES - len(target))  # of those of target.spm
    source += _fill(folder / "source.spm", range(unused))
    target += _fill(folder / "target.spm", range(first, first + PIECES - len(target)))
    entries = list(dict.fromkeys([*target[:2], *source, *target]))
    vocabulary = {entry: number for number, entry in enumerate([*entries, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    torch.manual_seed(0)
    model = MarianMTModel(
        MarianConfig(**MARIAN, pad_token_id=size - 1, decoder_start_token_id=size - 1)
    )
    model.final_logits_bias[0, 0] = -1e4
    model.save_pretrained(folder)
    return folder


def _train_pieces(texts: Sequence[str], path: Path) -> list[str]:
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_prefix=str(path.with_suffix("")),
        vocab_size=PIECES,
        bos_id=-1,
        eos_id=0,
        unk_id=1,
        minloglevel=2,
        hard_vocab_limit=False,
    )
    path.with_suffix(".vocab").unlink()
    path.with_suffix(".model").rename(path)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [pieces.id_to_piece(number) for number in range(len(pieces))]


def _fill(path: Path, numbers: Iterable[int]) -> list[str]:
    """Append pieces that no text has to a SentencePiece model, and return them."""
    model = ModelProto()
    model.ParseFromString(path.read_bytes())
    pieces = [f"<unused{number}>" for number in numbers]
    model.pieces.extend(ModelProto.SentencePiece(piece=piece, score=-99.0) for piece in pieces)
    path.write_bytes(model.SerializeToString())
    return pieces
