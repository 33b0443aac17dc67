"""A model of roberta-large's published size with RANDOM weights, for timing where the real one cannot be had.

usage: python benchmarks/random_roberta.py FOLDER EVAL_FOLDER

24 layers of 1024 with 16 heads and an inner size of 4096, 514 positions, a vocabulary of 50,265 (1.4 GB). Its tokenizer
is a byte-level BPE trained on EVAL_FOLDER's text, of fewer pieces than the vocabulary has. Times are those of the real
model; scores mean nothing, and differences between two arithmetics are those of random weights.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from eval_pairs import eval_pairs
from tokenizers import ByteLevelBPETokenizer
from transformers import RobertaConfig, RobertaModel, RobertaTokenizer


def write(folder: Path, texts: Iterable[str], **other: Any) -> ByteLevelBPETokenizer:
    """Write config, weights and tokenizer; `other` replaces values of the config. Return the tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    config: dict[str, Any] = {
        "vocab_size": 50_265, "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
        "intermediate_size": 4096, "max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-5,
    } | other  # fmt: skip
    pieces = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces.train_from_iterator(texts, vocab_size=config["vocab_size"], special_tokens=special, show_progress=False)
    pieces.save_model(str(folder))
    files = {"vocab": str(folder / "vocab.json"), "merges": str(folder / "merges.txt")}
    RobertaTokenizer(**files, model_max_length=512).save_pretrained(folder)
    torch.manual_seed(0)
    RobertaModel(RobertaConfig(**config)).save_pretrained(folder)
    return pieces


def main(folder: Path, data: Path) -> None:
    """Write a model with the tokenizer of the evaluation pairs."""
    pairs = [one.pair for found in eval_pairs(data).values() for one in found]
    pieces = write(folder, (text for pair in pairs for text in (pair.long, *pair.split)))
    words = sum(len(pair.long.split()) for pair in pairs)
    tokens = sum(len(pieces.encode(pair.long).ids) for pair in pairs)
    print(f"{folder}: {pieces.get_vocab_size():,} pieces, {tokens / words:.2f} a word")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
