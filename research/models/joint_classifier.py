"""The network of kind `joint`, a cross-encoder: it reads both texts of a pair at once and adds a linear layer.

The subfolder `model` of a saved network is in the format of AutoModelForSequenceClassification, with the names of the
classes, so the filter `entailment` can use it like a published model.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from transformers import BertConfig, BertForSequenceClassification

from bitext_pivot.research.models import network
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.network import Batch, NetworkPlan

_AUTO = "AutoModelForSequenceClassification"
_SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "eos_token": "[SEP]"}


class JointClassifier:
    """A cross-encoder that assigns a class to a pair of texts.

    `labels` are the names of the classes in the order of the logits, as in the configuration of the model.
    """

    def __init__(self, module: Any, tokenizer: Any, plan: NetworkPlan) -> None:
        self.module, self._tokenizer, self._plan = module, tokenizer, plan
        names = module.config.id2label
        self.labels = [names[number] for number in range(module.config.num_labels)]

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[TrainingExample]) -> Self:
        """Load or create a classifier for the classes of the examples, in alphabetical order.

        The input embeddings of a pretrained encoder are frozen, so words and languages that do not occur in the
        training examples keep their position relative to the others.
        """
        names = sorted({example.label for example in train})
        labels = {
            "id2label": dict(enumerate(names)),
            "label2id": {name: number for number, name in enumerate(names)},
        }
        if plan.folder is None:
            return cls(*_random(plan, train, labels), plan)
        module = network.start(plan.folder, _AUTO, lack="head", **labels)
        module.get_input_embeddings().requires_grad_(False)
        return cls(module, network.start_tokenizer(plan.folder), plan)

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Load the network that `save` wrote.

        Raises SettingsError if the model or its labels are damaged.
        """
        module, tokenizer = network.load_trained(folder / "model", _AUTO)
        network.check_labels([*module.config.id2label.values()], folder)
        return cls(module, tokenizer, plan)

    def save(self, folder: Path) -> None:
        """Write the model, its labels and its tokenizer to the subfolder `model`."""
        self.module.save_pretrained(folder / "model")
        self._tokenizer.save_pretrained(folder / "model")

    def collate(self, examples: Sequence[TrainingExample]) -> Batch:
        """Return a batch: the ids of the pairs and the class indices, -100 for an unknown class."""
        return network.with_labels(self._encode(examples), examples, self.labels)

    def outputs(self, examples: Sequence[TrainingExample]) -> list[str]:
        """Return the name of the most probable class of each pair."""
        return network.best_classes(self.module, self._encode(examples), self.labels)

    def _encode(self, examples: Sequence[TrainingExample]) -> Any:
        return self._tokenizer(
            [example.source for example in examples],
            [example.second for example in examples],
            truncation=True,
            max_length=self._plan.training.longest,
            padding=True,
            return_tensors="pt",
        )


def _random(
    plan: NetworkPlan, train: Sequence[TrainingExample], labels: dict[str, Any]
) -> tuple[Any, Any]:
    """Return a small BERT with random weights, and a tokenizer trained on the training examples."""
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
    return BertForSequenceClassification(config), tokenizer
