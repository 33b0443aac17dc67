"""Encoders: the package's numbers, the same bits whatever the neighbours, in both precisions."""

import functools
import itertools
import logging
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import encoders
import pytest
from tokenizers import ByteLevelBPETokenizer

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.hub.weights import loading
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.encoder import Encoder, keep_vectors, load_encoder
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.matching import MatchScore
from bitext_pivot.filters.neural.precision import Precision, fastest_precision

if TYPE_CHECKING:
    from bert_score import BERTScorer

ROOT = Path(__file__).parents[3]
MINILM = "all-MiniLM-L6-v2"
WHO = ["The old baker", "My sister", "A tired driver", "Nobody here", "Every child in the village"]
DID = [
    "opened the window",
    "sold 3 tickets",
    "forgot the naïve plan",
    "missed the last train to Łódź",
]
WHY = [
    "because it was late",
    "although the rain had stopped",
    "; then everyone cheered !",
    "(as usual)",
]
TEXTS = [" ".join(words) for words in itertools.product(WHO, DID, WHY)]
PAIRS = [(TEXTS[n % 80], TEXTS[(n * 7 + n // 80) % 80]) for n in range(200)]
PRECISIONS: list[Precision] = ["float32", "bfloat16"]
SIZE: dict[str, Any] = {"num_attention_heads": 2, "intermediate_size": 64, "hidden_size": 32}


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small models of random weights through, whose numbers are compared with the package's."""
    monkeypatch.setattr(encoder_check, "check_encoder", lambda *_: None)


@functools.cache
def scorer(folder: Path, layer: int) -> "BERTScorer":
    from bert_score import BERTScorer

    with loading():
        return BERTScorer(model_type=str(folder), num_layers=layer, device="cpu")


def package(folder: Path, layer: int, pairs: list[tuple[str, str]]) -> list[tuple[float, ...]]:
    """What bert_score says of pairs given to it together."""
    columns = scorer(folder, layer).score([one for one, _ in pairs], [two for _, two in pairs])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def difference(mine: list[MatchScore], his: list[tuple[float, ...]]) -> float:
    """The largest difference of any precision, recall or F."""
    return max(
        abs(a - b)
        for one, two in zip(mine, his, strict=True)
        for a, b in zip(one, two, strict=True)
    )


@pytest.mark.nightly
def test_two_threads_that_ask_at_once_get_one_encoder() -> None:
    """In a process of its own, because transformers imports its parts when they are first named."""
    script = (
        "import threading; from concurrent.futures import ThreadPoolExecutor\n"
        "from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint\n"
        "from bitext_pivot.filters.neural.encoder import load_encoder\n"
        "barrier = threading.Barrier(4)\n"
        "def load(_): barrier.wait(); return load_encoder(fetch_checkpoint('all-MiniLM-L6-v2', 2), 'float32')\n"
        "with ThreadPoolExecutor(4) as pool: print(len(set(map(id, pool.map(load, range(4))))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout == "1\n", done.stderr


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder(fetch_checkpoint(MINILM, 6), "float32")


@pytest.fixture(scope="module", params=["bert", "roberta", "distilbert"])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model of random weights: two kinds that are packed, one that takes one text at a time."""
    import torch
    from transformers import (
        BertConfig,
        BertModel,
        DistilBertConfig,
        DistilBertModel,
        RobertaConfig,
        RobertaModel,
        RobertaTokenizer,
    )

    folder = tmp_path_factory.mktemp(request.param)
    torch.manual_seed(5)
    if request.param == "roberta":
        pieces = ByteLevelBPETokenizer()
        pieces.train_from_iterator(
            TEXTS,
            vocab_size=400,
            special_tokens=["<s>", "<pad>", "</s>", "<unk>"],
            show_progress=False,
        )
        pieces.save_model(str(folder))
        vocab, merges = str(folder / "vocab.json"), str(folder / "merges.txt")
        RobertaTokenizer(vocab=vocab, merges=merges, model_max_length=62).save_pretrained(folder)
        config = RobertaConfig(
            vocab_size=400, num_hidden_layers=3, max_position_embeddings=64, pad_token_id=1, **SIZE
        )
        RobertaModel(config).save_pretrained(folder)
        return folder
    load_encoder(fetch_checkpoint(MINILM, 6), "float32").tokenizer.save_pretrained(folder)
    if request.param == "bert":
        BertModel(BertConfig(num_hidden_layers=3, **SIZE)).save_pretrained(folder)
    else:
        DistilBertModel(
            DistilBertConfig(n_layers=3, n_heads=2, dim=32, hidden_dim=64)
        ).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("layer", [1, 3])
def test_any_architecture_and_layer_gives_the_numbers_of_the_package(
    tiny: Path, layer: int
) -> None:
    found = load_encoder(fetch_checkpoint(str(tiny), layer), "float32").compare(PAIRS[:40], 1)
    assert difference(found, package(tiny, layer, PAIRS[:40])) <= 1e-6
    assert len({comparison.f1 for comparison in found}) > 30


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_score_is_the_same_bits_whatever_its_neighbours(precision: Precision) -> None:
    import torch

    loaded, pairs = load_encoder(fetch_checkpoint(MINILM, 6), precision), PAIRS[:20]
    together = loaded.compare(pairs, 1)
    order = list(range(len(pairs)))
    random.Random(7).shuffle(order)
    shuffled = loaded.compare([pairs[n] for n in order], 2)
    assert [together[n] for n in order] == shuffled
    torch.set_num_threads(2)
    assert [loaded.compare([pairs[n]], 1)[0] for n in order[:3]] == shuffled[:3]
    shortest, longest = ("a", "b"), ("word " * 600, "other words " * 300)
    assert loaded.compare([longest, shortest, *pairs[:5]], 2)[1] == loaded.compare([shortest], 1)[0]


def test_each_distinct_text_is_encoded_once(
    minilm: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    encode = Encoder._encode_pack

    def seen(self: Encoder, texts: Any) -> Any:
        asked.extend(map(len, texts))
        return encode(self, texts)

    monkeypatch.setattr(Encoder, "_encode_pack", seen)
    minilm.compare(
        [("We left .", "They came ."), ("They came .", "We left ."), ("We left .", "We left .")], 1
    )
    assert len(asked) == 2
    asked.clear()
    with keep_vectors():
        minilm.compare([("We left .", "They came .")], 1)
        minilm.weakest_spans([("We left .", ("We came .",))], 1)
    minilm.compare([("We left .", "They came .")], 1)
    assert len(asked) == 3 + 2


@pytest.mark.parametrize("precision", PRECISIONS)
def test_kept_vectors_are_the_same_bits(precision: Precision) -> None:
    loaded = load_encoder(fetch_checkpoint(MINILM, 6), precision)
    sides = [(one, (two,)) for one, two in PAIRS[:6]]
    expected = loaded.compare(PAIRS[:6], 1), loaded.weakest_spans(sides, 1)
    with keep_vectors():
        loaded.compare(PAIRS[4:12], 1)
        assert (loaded.compare(PAIRS[:6], 1), loaded.weakest_spans(sides, 1)) == expected


def test_texts_without_words_score_nothing(minilm: Encoder) -> None:
    assert minilm.compare([("\u200b", "word"), ("word", "")], 1) == [MatchScore(0, 0, 0)] * 2
    assert minilm.compare([], 1) == []


def test_a_text_longer_than_the_model_takes_is_cut(minilm: Encoder) -> None:
    assert minilm.compare([("word " * 600, "word " * 900)], 1)[0].f1 == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("names", "precision"),
    [({"avx512_bf16"}, "bfloat16"), ({"amx_bf16"}, "bfloat16"), ({"avx512f"}, "float32")],
)
def test_the_processor_decides_the_precision(
    names: set[str], precision: str, instructions: set[str]
) -> None:
    instructions |= names
    assert fastest_precision() == precision


def test_plain_float32_is_said_once(old_processor: None, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert [fastest_precision(), fastest_precision()] == ["float32"] * 2
    assert [record.message for record in caplog.records] == [
        "This processor does not support bfloat16 (avx512_bf16 or amx_bf16): encoders compute in float32, which is "
        "slower."
    ]


def test_a_damaged_encoder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "bert"
    encoders.bert(folder)
    (folder / "model.safetensors").write_text("no tensors", encoding="utf-8")
    with pytest.raises(SourceError, match=r"model\.safetensors is damaged or truncated"):
        load_encoder(fetch_checkpoint(str(folder), 2), "float32")
