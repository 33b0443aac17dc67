"""Sequence-to-sequence models of other architectures: trained for a step, generating, saved and loaded."""

from pathlib import Path
from typing import Any

import pytest
from learned import examples, loaded, plan

from bitext_pivot.research.models.data import ExampleSubsets, TrainingExample
from bitext_pivot.research.models.kinds import network_class
from bitext_pivot.research.models.network import random_tokenizer
from bitext_pivot.research.models.training_settings import Decoding, Hyperparameters

pytestmark = pytest.mark.nightly
SPECIAL = {
    "pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>", "bos_token": "<s>", "cls_token": "<s>",
    "sep_token": "</s>",
}  # fmt: skip


def bart(words: int) -> Any:
    from transformers import BartConfig, BartForConditionalGeneration

    sizes: dict[str, Any] = {f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in
             (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))}  # fmt: skip
    tokens: dict[str, Any] = {
        "pad_token_id": 0,
        "eos_token_id": 2,
        "bos_token_id": 3,
        "decoder_start_token_id": 2,
    }
    return BartForConditionalGeneration(BartConfig(vocab_size=words, d_model=16, **sizes, **tokens))


def two_berts(words: int) -> Any:
    from transformers import BertConfig, EncoderDecoderConfig, EncoderDecoderModel

    one = BertConfig(
        vocab_size=words,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        pad_token_id=0,
    )
    return EncoderDecoderModel(EncoderDecoderConfig.from_encoder_decoder_configs(one, one))


@pytest.mark.parametrize("build", [bart, two_berts])
def test_other_architectures_are_trained_and_generate(tmp_path: Path, build: Any) -> None:
    from bitext_pivot.research.models import trainer

    rows = examples("generate", 8)
    tokenizer = random_tokenizer(rows, SPECIAL)
    build(len(tokenizer)).save_pretrained(tmp_path / "start")
    tokenizer.save_pretrained(tmp_path / "start")
    training = Hyperparameters(max_steps=2, batch=4)
    settings = plan("generate", training, folder=tmp_path / "start", is_adaptive=True)
    network = network_class("generate").build(settings, rows)
    fitted = trainer.fit(
        network,
        ExampleSubsets(rows, [], []),
        training,
        tmp_path / "c",
        trainer.TrainingRuntime(device="cpu", threads=1),
    )
    assert fitted.steps == 2 and all(row["loss"] > 0 for row in fitted.losses)
    outputs = network.outputs(rows)
    network.save(tmp_path)
    assert (tmp_path / "category.safetensors").is_file()
    assert loaded(tmp_path, "AutoModelForSeq2SeqLM") == {}
    assert network_class("generate").load(tmp_path, settings).outputs(rows) == outputs


def test_reversed_targets_are_turned_back_in_outputs() -> None:
    rows = examples("generate", 8)
    settings = plan("generate", Hyperparameters()).model_copy(
        update={"decoding": Decoding(reverse=True, beams=1, no_repeat=0)}
    )
    network: Any = network_class("generate").build(settings, rows)
    row = TrainingExample(
        id="1", source="a b .", target="Tom sings . <SEP> Ann plays .", licence=""
    )
    pieces = network.collate([row])["labels"]
    learned = network._tokenizer.decode(
        [piece for piece in pieces[0].tolist() if piece >= 0], skip_special_tokens=True
    )
    assert learned.replace(" ", "") == "Annplays.<SEP>Tomsings."
