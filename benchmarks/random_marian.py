"""A Marian model of opus-mt-fr-en's published size with RANDOM weights, for timing where the real one cannot be had.

usage: python benchmarks/random_marian.py FOLDER BITEXT.tsv.gz...

6 + 6 layers of 512 with 8 heads and an inner size of 2048, 512 positions, 59,514 entries in the joint vocabulary
(300 MB). As with opus-mt, each side has SentencePiece pieces of its own, 32,000 here, trained on the bitext (foreign
TAB English), and the vocabulary is both together, filled up with entries that neither writes. `</s>` never wins, so an
output is as long as it is allowed to be. Times are those of the real model; what it writes means nothing.
"""

import gzip
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel

ENTRIES = 59_514
PIECES = 32_000
SENTENCES = 300_000
"""Of each file, from its beginning."""


def side_of(files: list[Path], side: int, out: Path, size: int) -> list[str]:
    """Train the pieces of one side and write them as `out`; return them in order."""
    sample = out.with_suffix(".txt")
    with sample.open("w", encoding="utf-8") as text:
        for file in files:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                text.writelines(line.rstrip("\n").split("\t")[side] + "\n" for line in islice(lines, SENTENCES))
    sentencepiece.SentencePieceTrainer.train(
        input=str(sample), model_prefix=str(out.with_suffix("")), vocab_size=size,
        bos_id=-1, eos_id=0, unk_id=1, num_threads=2, minloglevel=2, hard_vocab_limit=False,
    )  # fmt: skip
    sample.unlink()
    out.with_suffix(".vocab").unlink()
    out.with_suffix(".model").rename(out)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(out))
    return [pieces.id_to_piece(number) for number in range(len(pieces))]


def main(folder: Path, files: list[Path], *, entries: int = ENTRIES, pieces: int = PIECES, **other: Any) -> None:
    """Write config, weights, vocabulary and both SentencePiece models; `other` replaces values of the config."""
    folder.mkdir(parents=True, exist_ok=True)
    target = side_of(files, 1, folder / "target.spm", pieces)
    source = side_of(files, 0, folder / "source.spm", pieces)
    both = list(dict.fromkeys([*target[:2], *source, *target]))[: entries - 1]
    names = [*both, *(f"<unused{number}>" for number in range(entries - 1 - len(both))), "<pad>"]
    vocabulary = {name: number for number, name in enumerate(names)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    torch.manual_seed(0)
    config: dict[str, Any] = {
        "vocab_size": entries, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
        "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "max_position_embeddings": 512,
        "activation_function": "swish", "scale_embedding": True, "share_encoder_decoder_embeddings": True,
        "pad_token_id": entries - 1, "decoder_start_token_id": entries - 1, "eos_token_id": 0,
        "forced_eos_token_id": 0,
    }  # fmt: skip
    model = MarianMTModel(MarianConfig(**config | other))
    model.final_logits_bias[0, 0] = -1e4
    model.save_pretrained(folder)
    print(f"{folder}: {len(set(source) | set(target)):,} pieces, {len(set(source) & set(target)):,} on both sides")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
