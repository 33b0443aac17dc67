"""Models of the published sizes of opus-mt-fr-en and roberta-large with RANDOM weights, for timing.

The tokenizers are trained on given pairs of texts. Times are those of the real models; translations and scores mean
nothing.

* marian: 6 + 6 layers of 512, 8 heads, inner size 2048, 59,514 entries in the joint vocabulary (300 MB). `</s>` never
  wins, so every translation is as long as it is allowed to be.
* roberta: 24 layers of 1024, 16 heads, inner size 4096, 50,265 entries (1.4 GB).
"""

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import MarianConfig, MarianMTModel, RobertaConfig, RobertaModel, RobertaTokenizer

MARIAN: dict[str, Any] = {
    "vocab_size": 59_514, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
    "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "max_position_embeddings": 512,
    "activation_function": "swish", "scale_embedding": True, "share_encoder_decoder_embeddings": True,
    "eos_token_id": 0, "forced_eos_token_id": 0,
}  # fmt: skip
ROBERTA: dict[str, Any] = {
    "vocab_size": 50_265, "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
    "intermediate_size": 4096, "max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-5,
}  # fmt: skip


def write_marian(folder: Path, texts: Sequence[tuple[str, str]]) -> Path:
    """Write a Marian checkpoint with the pieces of pairs of foreign text and translation."""
    folder.mkdir(parents=True)
    size = MARIAN["vocab_size"]
    source, target = (
        _train_pieces([pair[side] for pair in texts], folder / f"{name}.spm", size // 2)
        for side, name in enumerate(("source", "target"))
    )
    entries = list(dict.fromkeys([*target[:2], *source, *target]))[: size - 1]
    entries += [f"<unused{number}>" for number in range(size - 1 - len(entries))]
    vocabulary = {entry: number for number, entry in enumerate([*entries, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    torch.manual_seed(0)
    model = MarianMTModel(MarianConfig(**MARIAN, pad_token_id=size - 1, decoder_start_token_id=size - 1))
    model.final_logits_bias[0, 0] = -1e4
    model.save_pretrained(folder)
    return folder


def _train_pieces(texts: Sequence[str], path: Path, size: int) -> list[str]:
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(path.with_suffix("")), vocab_size=size,
        bos_id=-1, eos_id=0, unk_id=1, minloglevel=2, hard_vocab_limit=False,
    )  # fmt: skip
    path.with_suffix(".vocab").unlink()
    path.with_suffix(".model").rename(path)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [pieces.id_to_piece(number) for number in range(len(pieces))]


def write_roberta(folder: Path, texts: Sequence[tuple[str, str]]) -> Path:
    """Write a RoBERTa encoder with a byte-level BPE tokenizer trained on pairs of texts."""
    folder.mkdir(parents=True)
    tokenizer = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(
        chain.from_iterable(texts), vocab_size=ROBERTA["vocab_size"], special_tokens=special, show_progress=False
    )
    tokenizer.save_model(str(folder))
    vocabulary, merges = str(folder / "vocab.json"), str(folder / "merges.txt")
    RobertaTokenizer(vocab=vocabulary, merges=merges, model_max_length=512).save_pretrained(folder)
    torch.manual_seed(0)
    RobertaModel(RobertaConfig(**ROBERTA)).save_pretrained(folder)
    return folder
