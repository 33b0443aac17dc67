"""The network of kind `tag`: a pretrained encoder with one label per word (LaserTagger, Malmi et al. 2019)."""

from collections.abc import Sequence
from typing import Any, Self

import torch
from transformers import BertForTokenClassification

from bitext_pivot.research.models import labelled, tags
from bitext_pivot.research.models.data import Example
from bitext_pivot.research.models.network import IGNORED, Batch, NetworkPlan
from bitext_pivot.research.models.tags import Label
from bitext_pivot.research.models.texts import words

_FREEZE_BELOW = 50_000
"""Training rows below which the word embeddings of a pretrained encoder stay as they are."""


class Tagger(labelled.Labelled):
    """An encoder for token classification. The first piece of a word has its label; the labels are in its config."""

    AUTO = "AutoModelForTokenClassification"

    def __init__(self, module: Any, tokenizer: Any, plan: NetworkPlan) -> None:
        super().__init__(module, tokenizer, plan)
        self._labels = [Label.of(name) for name in self.labels]
        self._numbers = {label: number for number, label in enumerate(self._labels)}

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[Example]) -> Self:
        """Return a tagger with the labels of the training rows."""
        rows = (_labels(example) for example in train)
        names = [label.name for label in tags.vocabulary(rows, plan.start.labels)]
        module, tokenizer = labelled.start(
            plan,
            train,
            names,
            auto=cls.AUTO,
            bert=BertForTokenClassification,
            add_prefix_space=True,
        )
        if plan.folder is not None and len(train) < _FREEZE_BELOW:
            module.get_input_embeddings().requires_grad_(False)
        return cls(module, tokenizer, plan)

    def collate(self, examples: Sequence[Example]) -> Batch:
        """Return the pieces of the sources, with the label of each word on its first piece."""
        batch = self._encode([example.source for example in examples])
        labels = torch.full(batch["input_ids"].shape, IGNORED)
        for row, example in enumerate(examples):
            numbers = [
                self._numbers[tags.known(label, self._numbers)] for label in _labels(example)
            ]
            for number, place in zip(numbers, self._places(batch, row), strict=False):
                labels[row, place] = number
        return {**batch, "labels": labels}

    def outputs(self, examples: Sequence[Example]) -> list[str]:
        """Return the text that the best labels make of each source."""
        batch = self._encode([example.source for example in examples])
        with torch.inference_mode():
            logits = self.module(**batch.to(self.module.device)).logits.float().cpu().numpy()
        results = []
        for row, example in enumerate(examples):
            *places, end = self._places(batch, row)
            chosen = tags.decode(logits[row, places], self._labels, self._plan.decoding.splits)
            if len(places) == len(words(example.source)):  # none was cut off
                chosen += tags.decode(logits[row, [end]], self._labels, "one")
            results.append(tags.text(example.source, chosen))
        return results

    def _encode(self, sources: Sequence[str]) -> Any:
        return self._tokenizer(
            [[word[0] for word in words(source)] for source in sources],
            is_split_into_words=True, truncation=True, max_length=self._plan.training.longest, padding=True,
            return_tensors="pt",
        )  # fmt: skip

    def _places(self, batch: Any, row: int) -> list[int]:
        """Return the position of the first piece of each word, and that of the last piece, which stands for the end."""
        numbers = batch.word_ids(row)
        first = [
            place
            for place, number in enumerate(numbers)
            if number is not None and number != numbers[place - 1]
        ]
        return [*first, int(batch["attention_mask"][row].nonzero()[-1])]


def _labels(example: Example) -> list[Label]:
    source, target = (
        [word[0] for word in words(text)] for text in (example.source, example.target)
    )
    return tags.labels(source, target)
