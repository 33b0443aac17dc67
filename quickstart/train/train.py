"""Train a model like the quickstart's, French, Spanish and German to English, on a CPU or a GPU (README.md).

usage: python quickstart/train/train.py CORPORA OUT

CORPORA has files `<corpus>.<language>-en.tsv.gz`. OUT gets held-out pairs, which no training example shares a sentence
with, the vocabulary, and `model` in Hugging Face's layout. Prints tokens and loss every 500 steps.
"""

import gzip
import json
import random
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from sacremoses import MosesDetokenizer
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

Pair = tuple[str, str]
Row = tuple[list[int], list[int]]
"""Pieces of a foreign sentence and its translation, each with `</s>`."""

HELD_OUT = 1_600  # pairs per language
PROSE = {"fr": "europarl", "es": "newscommentary", "de": "comtrans"}
MOST_PROSE, JOINED = 80_000, 150_000  # examples per language
LANGUAGES = {"fr": 0.45, "es": 0.35, "de": 0.20}  # shares of the tokens
KINDS = {"everyday": 0.53, "joined": 0.22, "prose": 0.25}
CONNECTIVES = {
    "fr": " et | and ;, mais |, but ; car | because ;, donc |, so ; alors que | while ",
    "es": " y | and ;, pero |, but ; porque | because ;, así que |, so ; mientras | while ",
    "de": " und | and ;, und |, and ;, aber |, but ;, denn | because ;, doch |, but ",
}
"""Connectives that do not change the word order of the clauses: foreign|English;..."""
VOCABULARY = 8000
LONGEST = 80  # pieces
RATE, WARMUP, BATCH, TOKENS = 2e-3, 400, 9000, 61e6  # tokens are of source and target


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file whose sides have similar lengths."""
    corpus, language = path.name.split("-")[0].split(".")
    detokenize = [MosesDetokenizer(lang=name).detokenize for name in (language, "en")]
    pairs = []
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        sides = line.split("\t")
        if corpus == "comtrans":
            sides = [detokenize[number](side.split()) for number, side in enumerate(sides)]
        foreign, english = (" ".join(unicodedata.normalize("NFC", side).split()) for side in sides)
        shorter, longer = sorted((len(foreign), len(english)))
        if 0 < shorter and longer <= min(400, 2.5 * shorter + 15) and foreign != english:
            pairs.append((foreign, english))
    return list(dict.fromkeys(pairs))


def keys(pair: Pair) -> set[str]:
    """Return letters and digits of both sentences; sentences with equal ones count as the same."""
    return {"".join(filter(str.isalnum, text.casefold())) for text in pair}


def hold_out(pairs: list[Pair], seen: set[str], path: Path) -> None:
    """Write pairs of a language that are not trained on; add their keys, which are all new, to `seen`."""
    drawn: list[str] = []
    for pair in random.sample(pairs, len(pairs)):
        if len(drawn) < HELD_OUT and not keys(pair) & seen:
            seen |= keys(pair)
            drawn.append("\t".join(pair) + "\n")
    path.write_bytes(gzip.compress("".join(drawn).encode()))


def join_pairs(pairs: list[Pair], language: str) -> Iterator[Pair]:
    """Yield examples of two short statements each: half of them side by side, half joined by a connective."""
    short = re.compile(r'(?:[^\s"]+ ){2,13}[^\s".]+\.')
    statements = [pair for pair in pairs if all(map(short.fullmatch, pair))]
    connectives = [entry.split("|") for entry in CONNECTIVES[language].split(";")]
    for number in range(JOINED):
        connective = random.choice(connectives) if number % 2 else [". ", ". "]
        first, second = random.choices(statements, k=2)
        foreign, english = (
            f"{one[:-1]}{between}{other}"
            for one, between, other in zip(first, connective, second, strict=True)
        )
        yield foreign, english


def examples(corpora: Path, out: Path) -> dict[tuple[str, str], list[Pair]]:
    """Write the held-out pairs, and return the examples by language and kind."""
    seen, made = set[str](), {}
    for language, prose in PROSE.items():
        everyday = read_pairs(corpora / f"tatoeba.{language}-en.tsv.gz")
        hold_out(everyday, seen, out / f"heldout.{language}.tsv.gz")
        made[language, "everyday"] = everyday
        medium = [
            pair
            for pair in read_pairs(corpora / f"{prose}.{language}-en.tsv.gz")
            if all(8 <= len(side.split()) <= 35 for side in pair)
        ]
        made[language, "prose"] = medium[:MOST_PROSE]
    free = {name: [pair for pair in pairs if not keys(pair) & seen] for name, pairs in made.items()}
    for language in PROSE:
        free[language, "joined"] = [*join_pairs(free[language, "everyday"], language)]
    return free


def train_vocabulary(texts: list[str], out: Path) -> MarianTokenizer:
    """Train a joint unigram vocabulary and return it as a Marian tokenizer."""
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(random.sample(texts, min(600_000, len(texts)))), model_prefix=str(out / "pieces"),
        model_type="unigram", vocab_size=VOCABULARY, character_coverage=0.9998, eos_id=0, unk_id=1, bos_id=-1,
        pad_id=-1, num_threads=2, minloglevel=1,
    )  # fmt: skip
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(out / "pieces.model"))
    names = [*map(pieces.id_to_piece, range(len(pieces))), "<pad>"]
    entries = {name: number for number, name in enumerate(names)}
    (out / "vocab.json").write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    files = [str(out / name) for name in ("pieces.model", "pieces.model", "vocab.json")]
    return MarianTokenizer(*files, source_lang="fr+es+de", target_lang="en", model_max_length=512)


def batches(
    made: Mapping[tuple[str, str], list[Pair]], tokenizer: MarianTokenizer
) -> Iterator[list[Row]]:
    """Yield batches without end, in the mix of languages and kinds above.

    Rows of a batch have a similar length, about BATCH tokens together, padding included.
    """
    groups, rates = [], []
    for (language, kind), pairs in made.items():
        sides = [tokenizer([*texts])["input_ids"] for texts in zip(*pairs, strict=True)]
        rows = [row for row in zip(*sides, strict=True) if max(map(len, row)) < LONGEST]
        groups.append(rows)
        tokens = sum(map(len, chain.from_iterable(rows)))
        rates.append(LANGUAGES[language] * KINDS[kind] * len(rows) / tokens)
    while True:
        drawn = [random.choice(rows) for rows in random.choices(groups, rates, k=60_000)]
        cuts: list[list[Row]] = [[]]
        for row in sorted(drawn, key=lambda row: [*map(len, row)]):
            if (len(cuts[-1]) + 1) * sum(map(len, row)) > BATCH:
                cuts.append([])
            cuts[-1].append(row)
        yield from random.sample(cuts, len(cuts))


def build(padding: int) -> MarianMTModel:
    """Return a model with random weights, as OPUS-MT lays it out."""
    model = MarianMTModel(
        MarianConfig(
            vocab_size=padding + 1, d_model=256, encoder_layers=4, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=1024, decoder_ffn_dim=1024, activation_function="relu",
            max_position_embeddings=512, scale_embedding=True, share_encoder_decoder_embeddings=True,
            tie_word_embeddings=True, dropout=0.1, attention_dropout=0.0, eos_token_id=0, forced_eos_token_id=0,
            pad_token_id=padding, decoder_start_token_id=padding,
        )
    )  # fmt: skip
    for parameter in model.parameters():
        if parameter.dim() == 2 and parameter.requires_grad:
            torch.nn.init.xavier_uniform_(parameter)
    model.model.shared.weight.data[padding] = 0  # the decoder starts from zero, as in Marian
    generation: Any = model.generation_config
    generation.update(num_beams=4, max_length=256, bad_words_ids=[[padding]])
    return model


def loss(model: torch.nn.Module, batch: list[Row], padding: int, device: str) -> Tensor:
    """Return the mean loss per target token. The padding is never written, so that its vector stays zero."""
    source, target = (
        pad_sequence([*map(torch.tensor, side)], batch_first=True, padding_value=padding).to(device)
        for side in zip(*batch, strict=True)
    )
    with torch.autocast(device, torch.bfloat16):
        mask = (source != padding).long()
        logits = model(input_ids=source, attention_mask=mask, labels=target).logits
    scores = logits[..., :padding].float().flatten(0, 1)
    return cross_entropy(scores, target.flatten(), ignore_index=padding, label_smoothing=0.1)


def optimizers(model: MarianMTModel) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices of the layers, AdamW for embeddings, biases and norms."""
    matrices: list[torch.nn.Parameter] = []
    others: list[torch.nn.Parameter] = []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_matrix = parameter.dim() == 2 and "shared" not in name
            (matrices if is_matrix else others).append(parameter)
    return [
        torch.optim.AdamW(others, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0, fused=True),
        torch.optim.Muon(matrices, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
    ]


def main(corpora: Path, out: Path) -> None:
    """Train, and write the average of the weights."""
    random.seed(20)
    torch.manual_seed(20)
    out.mkdir(parents=True)
    made = examples(corpora, out)
    pairs = chain.from_iterable(made.values())
    tokenizer = train_vocabulary([*chain.from_iterable(pairs)], out)
    padding, device = len(tokenizer) - 1, "cuda" if torch.cuda.is_available() else "cpu"
    model = torch.nn.Module.to(build(padding), device)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.998))
    parts, tokens = optimizers(model), 0
    for step, batch in enumerate(batches(made, tokenizer)):
        rate = RATE * min(1, (step + 1) / WARMUP) * max(0.0, 1 - tokens / TOKENS)
        mean = loss(model, batch, padding, device)
        mean.backward()
        for part in parts:
            part.param_groups[0]["lr"] = rate
            part.step()
            part.zero_grad()
        average.update_parameters(model)
        tokens += sum(map(len, chain.from_iterable(batch)))
        if step % 500 == 0:
            print(f"{tokens / 1e6:.2f}M  {mean.item():.3f}", flush=True)
        if tokens >= TOKENS:
            break
    average.module.save_pretrained(out / "model")
    tokenizer.save_pretrained(out / "model")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
