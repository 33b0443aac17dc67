"""Encoders of transformers for `tag` and `joint`: a linear layer whose labels are in the configuration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from transformers import BertConfig

from bitext_pivot.research.models import network
from bitext_pivot.research.models.data import Example
from bitext_pivot.research.models.network import NetworkPlan

_SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "eos_token": "[SEP]"}


def start(
    plan: NetworkPlan,
    train: Sequence[Example],
    names: Sequence[str],
    *,
    auto: str,
    bert: Any,
    **options: object,
) -> tuple[Any, Any]:
    """Return an encoder for labels with these names and its tokenizer, before training.

    `auto` is the class of transformers that loads it, `bert` the class of a start with random weights,
    whose tokenizer is made of the training rows. `options` are those of a pretrained tokenizer.
    """
    labels = {
        "id2label": dict(enumerate(names)),
        "label2id": {name: number for number, name in enumerate(names)},
    }
    if plan.folder is None:
        return _random(plan, train, bert, labels)
    module = network.start(plan.folder, auto, lack="head", **labels)
    return module, network.start_tokenizer(plan.folder, **options)


class Labelled:
    """An encoder and its tokenizer; `labels` are the names of its labels, in the order of the logits."""

    AUTO: ClassVar[str]
    """The class of transformers that loads it."""

    def __init__(self, module: Any, tokenizer: Any, plan: NetworkPlan) -> None:
        self.module, self._tokenizer, self._plan = module, tokenizer, plan
        names = module.config.id2label
        self.labels = [names[number] for number in range(module.config.num_labels)]

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Return the network in a folder.

        Raises as `network.trained`, and SettingsError for labels that are none.
        """
        module, tokenizer = network.trained(folder / "model", cls.AUTO)
        network.check_labels([*module.config.id2label.values()], folder)
        return cls(module, tokenizer, plan)

    def save(self, folder: Path) -> None:
        """Write the encoder with its labels, and its tokenizer."""
        self.module.save_pretrained(folder / "model")
        self._tokenizer.save_pretrained(folder / "model")


def _random(
    plan: NetworkPlan, train: Sequence[Example], bert: Any, labels: dict[str, Any]
) -> tuple[Any, Any]:
    """Return a small BERT with random weights, and a tokenizer of the training rows."""
    tokenizer = network.random_tokenizer(train, _SPECIAL)
    units, layers = network.SIZES[plan.start.size]
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=units,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=4 * units,
        pad_token_id=tokenizer.pad_token_id,
        **labels,
    )
    return bert(config), tokenizer
