"""The self-check of encoders: every layout of a working one passes, and every broken one is refused with its reason."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import encoders
import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.encoder import load_encoder
from bitext_pivot.filters.neural.encoder_check import check_encoder, weakness_warning
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint

if TYPE_CHECKING:
    import torch

MINILM = "all-MiniLM-L6-v2"
UNRELATED = ("The judge sent the thief to prison.", "It rained on Tuesday, and we had soup.")
RELATED = ("The judge sent the thief to prison.", "The robber was put in jail by the court.")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "encoder"


@pytest.mark.parametrize("layout", encoders.LAYOUTS)
def test_every_layout_of_a_working_encoder_rejects_unrelated_sentences(
    layout: str, place: Path
) -> None:
    encoders.LAYOUTS[layout](place)
    unrelated, related = load_encoder(fetch_checkpoint(str(place), 6), "float32").compare(
        [UNRELATED, RELATED], 1
    )
    # 0.35 is the threshold of this encoder in encoders.toml.
    assert unrelated.f1 < 0.35 < 0.45 < related.f1


def without_tokenizer(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name not in {"config.json", "model.safetensors"}:
            path.unlink()


def with_vocabulary(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    without_tokenizer(folder)
    (folder / "vocab.txt").write_text("\n".join(change(words)), encoding="utf-8")


def rotated(words: list[str]) -> list[str]:
    return words[:1000] + words[2000:] + words[1000:2000]


def with_weights(folder: Path, change: "Callable[[dict[str, torch.Tensor]], object]") -> None:
    tensors = encoders.weights(folder)
    change(tensors)
    encoders.write(folder, tensors)


def random_words(tensors: "dict[str, torch.Tensor]") -> None:
    import torch

    words = tensors["embeddings.word_embeddings.weight"]
    words.copy_(torch.randn(words.shape, generator=torch.Generator().manual_seed(1)) * 0.02)


def without_layer(tensors: "dict[str, torch.Tensor]") -> None:
    for name in [name for name in tensors if ".layer.3." in name]:
        del tensors[name]


UNKNOWN = r"0 of \d+ tokens of plain sentences are known to its tokenizer"
BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "no tokenizer files": (
        without_tokenizer,
        UNKNOWN + r" .* contains config\.json, model\.safetensors\. Copy missing files",
    ),
    "a vocabulary of other words": (
        lambda folder: with_vocabulary(folder, lambda _: ["[UNK]", "[PAD]"]),
        UNKNOWN,
    ),
    "a vocabulary in another order": (
        lambda folder: with_vocabulary(folder, rotated),
        "at layer 6 put paraphrases above",
    ),
    "random word vectors": (
        lambda folder: with_weights(folder, random_words),
        "loads but does not work",
    ),
    "a missing layer": (
        lambda folder: with_weights(folder, without_layer),
        r"lacks 16 tensors .*layer\.3",
    ),
    "a vocabulary that is too large": (
        lambda folder: with_vocabulary(folder, lambda words: [*words, "zyzzyva"]),
        "tokenizer with 30523 entries, but weights for 30522",
    ),
    "an empty vocabulary": (lambda folder: with_vocabulary(folder, lambda _: []), UNKNOWN),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_encoder_is_refused_with_what_was_seen(fault: str, place: Path) -> None:
    encoders.bert(place)
    spoil, said = BROKEN[fault]
    spoil(place)
    with pytest.raises(
        SettingsError, match=rf"(?s)filters\.advanced\.bertscore\.model is .*{said}"
    ):
        load_encoder(fetch_checkpoint(str(place), 6), "float32")


def test_a_weak_encoder_of_a_language_is_a_warning() -> None:
    found = fetch_checkpoint(MINILM, 6)
    loaded = load_encoder(found, "float32")
    assert (
        weakness_warning(loaded.similarity, found, "en")
        == weakness_warning(loaded.similarity, found, "fi")
        == ""
    )
    assert "which is weak in Spanish: it scores paraphrases" in weakness_warning(
        loaded.similarity, found, "es"
    )


def test_an_encoder_of_one_other_language_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fetch_checkpoint(MINILM, 6)
    loaded = load_encoder(found, "float32")
    shares = {"en": 0.5, "fr": 0.9, "de": 0.7, "es": 0.6}
    monkeypatch.setattr(
        encoder_check, "rank_paraphrases", lambda _, language: [shares.get(language, 0.5)] * 100
    )
    check_encoder(loaded.similarity, loaded.tokenizer, found)
    shares["fr"] = 0.84
    with pytest.raises(
        SettingsError,
        match=r"84 of 100 comparisons at layer 6 .* in French, and fewer .*\(84%, exp",
    ):
        check_encoder(loaded.similarity, loaded.tokenizer, found)
