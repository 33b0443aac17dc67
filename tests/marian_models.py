"""Marian checkpoints small enough to be made in each run, in every layout of OPUS-MT."""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sentencepiece
from safetensors.numpy import load_file, save_file

from bitext_pivot.translation.engine import Engine
from bitext_pivot.translation.models import Advanced, Translation

STEPS = 150
WORDS = re.findall(
    r"\w+",
    "le la un une chat chien maison jardin enfant marché pluie soleil voisine facteur lettre porte fenêtre matin soir "
    "hier demain mange dort court ouvre ferme attend regarde chante et mais donc quand où très petit grande vieille "
    "rouge déjà encore jamais sous sur dans avec sans près loin",
)
OTHER_WORDS = re.findall(
    r"\w+",
    "the a cat dog house garden child market rain sun neighbour postman letter door window morning evening yesterday "
    "tomorrow eats sleeps runs opens closes waits watches sings and but so when where very small big old red already",
)
CONFIG_OF_2020 = {
    "_num_labels": 3, "add_bias_logits": False, "add_final_layer_norm": False, "bos_token_id": 0,
    "classif_dropout": 0.0, "classifier_dropout": 0.0, "force_bos_token_to_be_generated": False,
    "gradient_checkpointing": False,
    "id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "max_length": 512, "normalize_before": False,
    "label2id": {"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": 2}, "normalize_embedding": False, "num_beams": 6,
    "static_position_embeddings": True, "transformers_version": "2.9.0",
}  # fmt: skip
"""What the configurations of the OPUS-MT models of 2020 say besides; `bad_words_ids` depends on the vocabulary."""


def sentences(count: int, seed: int = 0, words: list[str] = WORDS) -> list[str]:
    """Word salad of 2 to 14 words; for a model of random weights it is as good as French."""
    chance = random.Random(seed)
    return [
        " ".join(chance.choices(words, k=chance.randint(2, 14))).capitalize() + "."
        for _ in range(count)
    ]


def write_pieces(path: Path, words: list[str], size: int) -> list[str]:
    """Train a SentencePiece model on word salad; return its pieces."""
    text = path.with_suffix(".txt")
    text.write_text("\n".join(sentences(400, seed=9, words=words)), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(path.with_suffix("")), vocab_size=size,
        bos_id=-1, eos_id=0, unk_id=1, minloglevel=2,
    )  # fmt: skip
    text.unlink()
    path.with_suffix(".vocab").unlink()
    path.with_suffix(".model").rename(path)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [pieces.id_to_piece(index) for index in range(len(pieces))]


def write_tokenizer(
    folder: Path,
    *,
    languages: tuple[str, str] = ("fr", "en"),
    tokens: tuple[str, ...] = (),
    target_size: int | None = None,
) -> tuple[int, int]:
    """Write the tokenizer's files and return the sizes of both vocabularies, which are one without `target_size`."""
    folder.mkdir(parents=True)
    source = [*write_pieces(folder / "source.spm", WORDS, 130), *tokens, "<pad>"]
    stated: dict[str, Any] = {"source_lang": languages[0], "target_lang": languages[1]}
    target = source
    if target_size is None:
        (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    else:
        target = [
            *write_pieces(folder / "target.spm", OTHER_WORDS + WORDS[:30], target_size),
            "<pad>",
        ]
        _write_vocabulary(folder / "target_vocab.json", target)
        stated["separate_vocabs"] = True
    _write_vocabulary(folder / "vocab.json", source)
    (folder / "tokenizer_config.json").write_text(json.dumps(stated), encoding="utf-8")
    return len(source), len(target)


def write_checkpoint(
    folder: Path, *, languages: tuple[str, str] = ("fr", "en"), tokens: tuple[str, ...] = ()
) -> Path:
    """Write a whole checkpoint, taught for two seconds to say again what it reads."""
    size, _ = write_tokenizer(folder, languages=languages, tokens=tokens)
    model = random_model(size, size)
    teach(model, sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm")))
    model.save_pretrained(folder)
    return folder


def random_model(source_size: int, target_size: int, **config: Any) -> Any:
    """Small random weights; different for each text that they read."""
    import torch
    import transformers

    # Threads that wait for each other on a busy machine make these small models crawl.
    torch.set_num_threads(1)
    torch.manual_seed(3)
    config = {
        "d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
        "decoder_attention_heads": 2, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64,
        "init_std": 0.1, "share_encoder_decoder_embeddings": True, "dropout": 0.0, "eos_token_id": 0,
        "forced_eos_token_id": 0, "pad_token_id": source_size - 1, "decoder_start_token_id": source_size - 1,
    } | config  # fmt: skip
    library: Any = transformers
    return library.MarianMTModel(
        transformers.MarianConfig(vocab_size=source_size, decoder_vocab_size=target_size, **config)
    ).eval()


def teach(model: Any, pieces: sentencepiece.SentencePieceProcessor) -> None:
    """Train a model to copy: badly, but differently for each text."""
    import torch

    model.train()
    padding = model.config.pad_token_id
    rows = [torch.tensor([*pieces.encode(text), 0]) for text in sentences(STEPS * 16, seed=5)]
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for start in range(0, len(rows), 16):
        some = rows[start : start + 16]
        padded = torch.nn.utils.rnn.pad_sequence(some, batch_first=True, padding_value=padding)
        there = padded != padding
        loss = model(
            input_ids=padded, attention_mask=there, labels=padded.masked_fill(~there, -100)
        ).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.model.shared.weight.data[padding] = 0  # Marian's decoder starts from nothing
    model.eval()


def as_of_2020(folder: Path) -> None:
    """Give a checkpoint the files that the hub has since 2020: legacy weights, generation settings in config.json."""
    import torch
    import transformers

    model = transformers.MarianMTModel.from_pretrained(folder)
    tensors = model.state_dict()
    del tensors["lm_head.weight"]
    torch.save(tensors, folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    (folder / "model.safetensors").unlink()
    (folder / "generation_config.json").unlink()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | CONFIG_OF_2020
    config["bad_words_ids"] = [[config["pad_token_id"]]]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def _write_vocabulary(path: Path, pieces: list[str]) -> None:
    path.write_text(
        json.dumps({piece: number for number, piece in enumerate(pieces)}), encoding="utf-8"
    )


def translation(model: Path | str, /, **values: Any) -> Translation:
    """Settings of a translation by a model, with each value in the group it belongs to."""
    advanced = {name: values.pop(name) for name in list(values) if name in Advanced.model_fields}
    return Translation(**{"model": str(model), "advanced": advanced} | values)


def texts(engine: Engine, sources: Sequence[str]) -> list[str]:
    """Return the translations without the confidence."""
    return [output.text for output in engine.translate(sources)]


def change_weights(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Let `change` edit the tensors of a checkpoint."""
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
