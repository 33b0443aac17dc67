"""The network of kind `joint`: an encoder that reads both texts of a pair at once, and a linear layer.

This is a cross-encoder. `model` in its folder is what transformers loads as
AutoModelForSequenceClassification, with the names of the classes, so that the filter `entailment` reads it
like a published model.
"""

from collections.abc import Sequence
from typing import Any, Self

import torch
from transformers import BertForSequenceClassification

from bitext_pivot.research.models import labelled
from bitext_pivot.research.models.data import Example
from bitext_pivot.research.models.network import IGNORED, Batch, NetworkPlan


class JointClassifier(labelled.Labelled):
    """A pair of texts to a class; the classes are in the configuration of the model."""

    AUTO = "AutoModelForSequenceClassification"

    def __init__(self, module: Any, tokenizer: Any, plan: NetworkPlan) -> None:
        super().__init__(module, tokenizer, plan)
        self._numbers = {label: number for number, label in enumerate(self.labels)}

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[Example]) -> Self:
        """Return a classifier for the classes of the training rows, in the order of the alphabet.

        The word vectors of a pretrained encoder stay as they are: words that no training row has, and other
        languages of the encoder, keep their places among the others.
        """
        names = sorted({example.label for example in train})
        module, tokenizer = labelled.start(
            plan, train, names, auto=cls.AUTO, bert=BertForSequenceClassification
        )
        if plan.folder is not None:
            module.get_input_embeddings().requires_grad_(False)
        return cls(module, tokenizer, plan)

    def collate(self, examples: Sequence[Example]) -> Batch:
        """Return the pieces of the pairs and the numbers of the classes, -100 for an unknown class."""
        labels = torch.tensor([self._numbers.get(example.label, IGNORED) for example in examples])
        return {**self._encode(examples), "labels": labels}

    def outputs(self, examples: Sequence[Example]) -> list[str]:
        """Return the best class of each pair."""
        batch = self._encode(examples).to(self.module.device)
        with torch.inference_mode():
            best = self.module(**batch).logits.argmax(dim=1)
        return [self.labels[number] for number in best.tolist()]

    def _encode(self, examples: Sequence[Example]) -> Any:
        return self._tokenizer(
            [example.source for example in examples],
            [example.second for example in examples],
            truncation=True,
            max_length=self._plan.training.longest,
            padding=True,
            return_tensors="pt",
        )
