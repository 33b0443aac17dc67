"""Train the quickstart's translation model: a plain loop over transformers' MarianMTModel, on a CPU or a GPU.

usage: python quickstart/train/train.py DATA MODEL [TOKENS]

DATA is the folder that prepare.py wrote; MODEL becomes a model in Hugging Face's layout, with float16 weights. Training
continues from MODEL.checkpoint.pt if that exists. Prints step, source and target tokens, learning rate, training loss,
development loss, seconds.
"""

import gzip
import random
import sys
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

LANGUAGES = {"fr": 0.45, "es": 0.35, "de": 0.20}  # shares of the tokens
KINDS = {"everyday": 0.53, "joined": 0.22, "prose": 0.25}
LONGEST = 80  # pieces
RATE, WARMUP, BATCH = 2e-3, 400, 9000  # learning rate, steps, source and target tokens
Row = tuple["array[int]", "array[int]"]
"""Pieces of a foreign sentence and its translation, each with `</s>`."""


def read(path: Path, pieces: sentencepiece.SentencePieceProcessor) -> list[Row]:
    """Return the pairs of a file in pieces, without long ones."""
    pairs = [
        line.split("\t") for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    ]
    sides = [pieces.encode([pair[side] for pair in pairs], num_threads=2) for side in (0, 1)]
    rows = zip(*sides, strict=True)
    return [
        (array("H", [*a, 0]), array("H", [*b, 0])) for a, b in rows if max(len(a), len(b)) < LONGEST
    ]


def mixed(
    folder: Path, pieces: sentencepiece.SentencePieceProcessor, chance: random.Random
) -> Iterator[list[Row]]:
    """Yield batches of rows drawn at random, without end, in the mix of languages and kinds above."""
    groups, rates = [], []
    for path in sorted(folder.glob("*.tsv.gz")):
        language, kind, *_ = path.name.split(".")
        groups.append(read(path, pieces))
        tokens = sum(len(source) + len(target) for source, target in groups[-1])
        rates.append(LANGUAGES[language] * KINDS[kind] * len(groups[-1]) / tokens)
    while True:
        yield from batches(
            [chance.choice(rows) for rows in chance.choices(groups, rates, k=60_000)], chance
        )


def batches(rows: list[Row], chance: random.Random) -> Iterator[list[Row]]:
    """Yield rows in batches of similar length and at most BATCH tokens, padding included, in random order."""
    cuts: list[list[Row]] = [[]]
    for row in sorted(rows, key=lambda row: (len(row[0]), len(row[1]))):
        widest = len(row[0]) + max(len(target) for _, target in [*cuts[-1], row])
        if (len(cuts[-1]) + 1) * widest > BATCH:
            cuts.append([])
        cuts[-1].append(row)
    yield from chance.sample(cuts, len(cuts))


def build(pieces: int) -> MarianMTModel:
    """Return a model with random weights for `pieces` pieces and a padding, as OPUS-MT lays it out."""
    model = MarianMTModel(
        MarianConfig(
            vocab_size=pieces + 1, d_model=256, encoder_layers=4, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=1024, decoder_ffn_dim=1024, activation_function="relu",
            max_position_embeddings=512, scale_embedding=True, share_encoder_decoder_embeddings=True,
            tie_word_embeddings=True, dropout=0.1, attention_dropout=0.0, eos_token_id=0, forced_eos_token_id=0,
            pad_token_id=pieces, decoder_start_token_id=pieces,
        )
    )  # fmt: skip
    for parameter in model.parameters():
        if parameter.dim() == 2 and parameter.requires_grad:
            torch.nn.init.xavier_uniform_(parameter)
    model.model.shared.weight.data[pieces] = (
        0  # the decoder starts from zero, in Marian and in CTranslate2
    )
    generation: Any = model.generation_config
    generation.update(num_beams=4, max_length=256, bad_words_ids=[[pieces]])
    return model


def loss(
    model: torch.nn.Module, batch: list[Row], padding: int, device: str, smoothing: float
) -> Tensor:
    """Return the mean loss per target token. The padding is never written, so that its vector stays zero."""
    columns = [[torch.tensor(side) for side in sides] for sides in zip(*batch, strict=True)]
    source, target = (
        pad_sequence(side, batch_first=True, padding_value=padding).to(device) for side in columns
    )
    shifted = torch.cat([torch.full_like(target[:, :1], padding), target[:, :-1]], 1)
    with torch.autocast(device, torch.bfloat16):
        logits = model(
            input_ids=source, attention_mask=(source != padding).long(), decoder_input_ids=shifted
        ).logits
    scores = logits[..., :padding].float().flatten(0, 1)
    return cross_entropy(scores, target.flatten(), ignore_index=padding, label_smoothing=smoothing)


def optimizers(model: MarianMTModel) -> dict[str, torch.optim.Optimizer]:
    """Return Muon for the matrices of the layers, AdamW for embeddings, biases and norms."""
    trained = [
        (name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad
    ]
    matrices = [
        parameter for name, parameter in trained if parameter.dim() == 2 and "shared" not in name
    ]
    others = [parameter for name, parameter in trained if parameter.dim() != 2 or "shared" in name]
    adamw = torch.optim.AdamW(
        others, lr=RATE, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0, fused=True
    )
    return {
        "adamw": adamw,
        "muon": torch.optim.Muon(matrices, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
    }


def export(model: MarianMTModel, tokenizer: Path, folder: Path) -> None:
    """Write a model with its tokenizer. config.json says float32, so that loading widens the float16 weights."""
    model.save_pretrained(folder)
    files: list[Any] = [
        str(tokenizer / name) for name in ("source.spm", "target.spm", "vocab.json")
    ]
    names: dict[str, Any] = {
        "source_lang": "fr+es+de",
        "target_lang": "en",
        "model_max_length": 512,
    }
    MarianTokenizer(*files, **names).save_pretrained(folder)
    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: tensor.half() for name, tensor in weights.items()},
        folder / "model.safetensors",
        {"format": "pt"},
    )


def main(data: Path, folder: Path, limit: float) -> None:
    """Train on `limit` tokens; write a checkpoint and the averaged weights every 500 steps."""
    torch.manual_seed(20)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(data / "tokenizer" / "source.spm"))
    padding, checkpoint, begun = len(pieces), folder.with_suffix(".checkpoint.pt"), time.monotonic()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = torch.nn.Module.to(build(padding), device)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.998))
    optimizer = optimizers(model)
    parts = {"model": model, "average": average, **optimizer}
    step, tokens = 0, 0
    if checkpoint.is_file():
        step, tokens, states = torch.load(checkpoint, weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(states[name])
    held_out = [row for path in (data / "heldout").glob("dev.*") for row in read(path, pieces)]
    development = list(batches(held_out, random.Random(0)))
    for batch in mixed(data / "examples", pieces, random.Random(20 + step)):
        rate = RATE * min(1, (step + 1) / WARMUP) * max(0.0, 1 - tokens / limit)
        mean = loss(model, batch, padding, device, 0.1)
        mean.backward()
        for part in optimizer.values():
            part.param_groups[0]["lr"] = rate
            part.step()
            part.zero_grad()
        average.update_parameters(model)
        step, tokens = step + 1, tokens + sum(len(source) + len(target) for source, target in batch)
        if step % 500 == 0 or tokens >= limit:
            with torch.no_grad():
                losses = [
                    loss(average.eval(), rows, padding, device, 0.0).item() for rows in development
                ]
            figures = f"{tokens / 1e6:.2f}M  {rate:.1e}  {mean.item():.3f}  {sum(losses) / len(losses):.4f}"
            print(f"{step}  {figures}  {time.monotonic() - begun:.0f}s", flush=True)
            torch.save(
                (step, tokens, {name: part.state_dict() for name, part in parts.items()}),
                checkpoint,
            )
            export(average.module, data / "tokenizer", folder)
        if tokens >= limit:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float((sys.argv[3:] or ["61e6"])[0]))
