"""Entailment: a tiny random model, loaded as a real one is."""

from pathlib import Path
from typing import Any

import pytest
from factories import unparsed

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.entailment import Entailment

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "we", "left", "and", "it", "rained", "then", "."]
LONG, FIRST, SECOND = "we left and it rained .", "we left .", "then it rained ."


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No self-check: these models are random."""
    monkeypatch.setattr(encoder_check, "check_inference", lambda *_: None)


def save(folder: Path, *labels: str) -> str:
    """Write a model with these classes."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    BertTokenizer(str(folder / "vocab.txt"), model_max_length=16).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=16, id2label=dict(enumerate(labels)), initializer_range=1.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture
def model(tmp_path: Path) -> str:
    return save(tmp_path / "nli", "contradiction", "neutral", "ENTAILMENT")


PAIR = unparsed(LONG, FIRST, SECOND)


def probability(folder: str, premise: str, hypothesis: str, label: int) -> float:
    """What the model says, asked without the filter."""
    import torch
    from transformers import BertForSequenceClassification, BertTokenizer

    loaded: Any = BertForSequenceClassification.from_pretrained(folder)
    inputs = BertTokenizer.from_pretrained(folder)(premise, hypothesis, return_tensors="pt")
    with torch.no_grad():
        return round(float(loaded.eval()(**inputs).logits.softmax(-1)[0, label]), 6)


def test_long_is_the_premise_and_each_half_a_hypothesis(model: str, runtime: Runtime) -> None:
    (parts,) = Entailment(model=model).parts([PAIR], runtime)
    first, second = (probability(model, LONG, half, 2) for half in (FIRST, SECOND))
    assert parts == pytest.approx({"score": min(first, second), "first": first, "second": second}, abs=1e-6)
    assert abs(first - second) > 1e-3
    assert parts.keys() == {"score", *Entailment.PARTS}


def test_the_class_is_found_by_its_name(tmp_path: Path, runtime: Runtime) -> None:
    folder = save(tmp_path / "other", "entailment", "not_entailment")
    (parts,) = Entailment(model=folder).parts([PAIR], runtime)
    assert parts["first"] == pytest.approx(probability(folder, LONG, FIRST, 0), abs=1e-6)


def test_order_is_kept_and_no_pair_changes_another(model: str, runtime: Runtime) -> None:
    pairs = [PAIR, unparsed(LONG, SECOND, "left left ."), unparsed(SECOND, FIRST, LONG)]
    scores = Entailment(model=model).score(pairs, runtime)
    assert len(set(scores)) == 3
    assert Entailment(model=model).score(pairs[::-1], runtime) == scores[::-1]


def test_what_was_compared_is_not_compared_again(model: str, monkeypatch: pytest.MonkeyPatch, runtime: Runtime) -> None:
    once = Entailment(model=model).score([PAIR], runtime)
    monkeypatch.setattr(Entailment, "compare", lambda *_, **__: pytest.fail("compared again"))
    assert Entailment(model=model, min_probability=0.9).score([PAIR] * 2, runtime) == once * 2


def test_a_text_too_long_for_the_model_is_cut(model: str, runtime: Runtime) -> None:
    (score,) = Entailment(model=model).score([unparsed(f"{LONG} " * 9, FIRST, SECOND)], runtime)
    assert 0 <= score <= 1


def test_it_is_off_until_a_model_is_named(model: str, runtime: Runtime) -> None:
    assert [Entailment().is_on, Entailment(model=model).is_on] == [False, True]
    with pytest.raises(SettingsError, match=r"`entailment` has no model\. Give `entailment\.model`, or leave"):
        Entailment().signature(runtime)


def test_the_signature_changes_with_the_weights_and_not_with_settings(
    model: str, tmp_path: Path, runtime: Runtime
) -> None:
    other = save(tmp_path / "other", "contradiction", "neutral", "ENTAILMENT")
    weights = Path(other) / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    digests = {Entailment(model=folder).signature(runtime).split()[2] for folder in (model, other)}
    assert len(digests) == 2
    plain = Entailment(model=model).measuring()
    assert Entailment(model=model, min_probability=0.9).measuring() == plain
    assert Entailment(model=model, revision="v1").measuring() == plain


def test_a_folder_without_a_model_is_refused(tmp_path: Path, runtime: Runtime) -> None:
    with pytest.raises(SettingsError, match=r"entailment\.model is .* config\.json is missing\. Name another"):
        Entailment(model=str(tmp_path)).signature(runtime)


def test_a_model_without_the_class_is_refused(tmp_path: Path, runtime: Runtime) -> None:
    folder = save(tmp_path / "mood", "happy", "sad")
    with pytest.raises(SettingsError, match=r"has no class `entailment`, but happy, sad\. Name one that was trained"):
        Entailment(model=folder).load("en", runtime)


def test_a_model_that_cannot_tell_what_follows_is_refused(
    model: str, monkeypatch: pytest.MonkeyPatch, runtime: Runtime
) -> None:
    monkeypatch.undo()
    with pytest.raises(
        SettingsError, match=r"entailment\.model is .*, which loads but does not work: 72 of 144 comparisons"
    ):
        Entailment(model=model).load("en", runtime)
