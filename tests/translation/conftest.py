"""A Marian checkpoint small enough to be made anew in each run: random weights, a vocabulary of its own."""

import json
import random
import re
import shutil
from pathlib import Path

import pytest
import sentencepiece
import torch
import transformers

torch.set_num_threads(1)  # threads that wait for each other on a busy machine make these small models crawl
STEPS = 150
WORDS = re.findall(
    r"\w+",
    "le la un une chat chien maison jardin enfant marché pluie soleil voisine facteur lettre porte fenêtre matin soir "
    "hier demain mange dort court ouvre ferme attend regarde chante et mais donc quand où très petit grande vieille "
    "rouge déjà encore jamais sous sur dans avec sans près loin",
)


def sentences(count: int, seed: int = 0) -> list[str]:
    """Word salad of 2 to 14 words; for a model of random weights it is as good as French."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(2, 14))).capitalize() + "." for _ in range(count)]


def write_checkpoint(folder: Path, *, languages: tuple[str, str] = ("fr", "en"), tokens: tuple[str, ...] = ()) -> Path:
    """Write a whole checkpoint as the hub has them: configuration, weights, vocabulary, both SentencePiece models."""
    folder.mkdir(parents=True)
    text = folder / "sample.txt"
    text.write_text("\n".join(sentences(400, seed=9)), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / "source"), vocab_size=130,
        bos_id=-1, eos_id=0, unk_id=1, minloglevel=2,
    )  # fmt: skip
    text.unlink()
    (folder / "source.vocab").unlink()
    (folder / "source.model").rename(folder / "source.spm")
    shutil.copy(folder / "source.spm", folder / "target.spm")
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    names = [*(pieces.id_to_piece(index) for index in range(len(pieces))), *tokens, "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({name: index for index, name in enumerate(names)}), encoding="utf-8")
    stated = {"source_lang": languages[0], "target_lang": languages[1], "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(stated), encoding="utf-8")
    model(pieces, len(names)).save_pretrained(folder)
    return folder


def model(pieces: sentencepiece.SentencePieceProcessor, size: int) -> transformers.MarianMTModel:
    """Small weights, taught for two seconds to say again what they read: badly, but differently for each text."""
    torch.manual_seed(3)
    config = transformers.MarianConfig(
        vocab_size=size, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64, init_std=0.1,
        share_encoder_decoder_embeddings=True, pad_token_id=size - 1, decoder_start_token_id=size - 1, eos_token_id=0,
        forced_eos_token_id=0, dropout=0.0,
    )  # fmt: skip
    made = transformers.MarianMTModel(config)
    rows = [torch.tensor([*pieces.encode(text), 0]) for text in sentences(STEPS * 16, seed=5)]
    optimizer = torch.optim.Adam(made.parameters(), lr=5e-3)
    for start in range(0, len(rows), 16):
        some = rows[start : start + 16]
        padded = torch.nn.utils.rnn.pad_sequence(some, batch_first=True, padding_value=size - 1)
        there = padded != size - 1
        loss = made(input_ids=padded, attention_mask=there, labels=padded.masked_fill(~there, -100)).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        made.model.shared.weight.data[size - 1] = 0  # Marian's decoder starts from nothing
    return made.eval()


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint fr -> en."""
    return write_checkpoint(tmp_path_factory.mktemp("models") / "tiny-fr-en")


@pytest.fixture(scope="session")
def many_targets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that writes Spanish or Portuguese, as a token says."""
    folder = tmp_path_factory.mktemp("models") / "tiny-en-ibero"
    return write_checkpoint(folder, languages=("en", "roa"), tokens=(">>spa<<", ">>por<<"))


@pytest.fixture(scope="session")
def models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where converted models lie; made once for the whole session."""
    return tmp_path_factory.mktemp("converted")


@pytest.fixture
def damaged(checkpoint: Path, tmp_path: Path) -> Path:
    """A copy of the checkpoint that a test may spoil."""
    return shutil.copytree(checkpoint, tmp_path / "damaged")


@pytest.fixture(scope="session")
def salad() -> list[str]:
    """A hundred and twenty sentences of 2 to 14 words, many of the same length."""
    return sentences(120)
