"""The network of kind `classify`: an encoder applied to each sentence of a pair, and a linear layer.

Discovery (Sileo et al. 2019, section 4) uses a BiLSTM with max pooling and InferSent's features (Conneau et al. 2017).
The explicitation paper (Shi et al. 2019, section 5) uses a BiLSTM with mean pooling and averages its two directions;
this implementation concatenates them, from which the linear layer can learn the average.
"""

import json
import math
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import (
    LSTM,
    Pooling,
    Transformer,
    WordEmbeddings,
)
from sentence_transformers.sentence_transformer.modules.tokenizer import WhitespaceTokenizer
from torch import Tensor, nn

from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import hub, pretrained, weights
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.research.models import network
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.network import Batch, NetworkPlan
from bitext_pivot.research.models.training_settings import RANDOM, NetworkStart

_PADDING = "\0"
"""The first word of a vocabulary, used to pad short texts."""
_UNITS = 64  # dimensions of random word vectors
Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class PairClassifier(nn.Module):  # type: ignore[misc] # torch's annotations are not read
    """PyTorch module: an encoder of texts and a linear layer on the vectors of both sentences."""

    def __init__(self, encoder: SentenceTransformer, classes: int, *, is_infersent: bool) -> None:
        super().__init__()
        self.encoder, self._is_infersent = encoder, is_infersent
        units = int(encoder.get_embedding_dimension() or 0)
        self.head = nn.Linear((4 if is_infersent else 2) * units, classes)

    def forward(self, first: Batch, second: Batch) -> dict[str, Tensor]:
        """Return the logits, shape (pairs, classes), for the ids of the first and second sentences."""
        u, v = (_finite(self.encoder(dict(side))["sentence_embedding"]) for side in (first, second))
        parts = [u, v, u * v, (u - v).abs()] if self._is_infersent else [u, v]
        return {"logits": self.head(torch.cat(parts, dim=-1))}


def _finite(vectors: Tensor) -> Tensor:
    """Replace -inf by 0. Max pooling returns -inf for a text without a known word."""
    return vectors.masked_fill(vectors == -math.inf, 0.0)


class Classifier:
    """A bi-encoder that assigns a class to a pair of texts.

    The subfolder `model` of a saved network is the encoder in the format of sentence-transformers.
    """

    def __init__(
        self, encoder: SentenceTransformer, labels: Sequence[str], plan: NetworkPlan
    ) -> None:
        self.labels = list(labels)
        self.module = PairClassifier(
            encoder, len(labels), is_infersent=plan.start.features == "infersent"
        )

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[TrainingExample]) -> Self:
        """Load or create a classifier for the classes of the examples, most frequent class first."""
        counts = Counter(example.label for example in train)
        labels = [
            label for label, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        ]
        return cls(_encoder(plan, train), labels, plan)

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Load the classifier that `save` wrote. Raises SettingsError if the folder is damaged."""
        labels = _labels(folder)
        if (folder / "model" / "config.json").is_file():  # missing for an lstm
            pretrained.load_model(
                folder / "model", "AutoModel", str(folder), setting=network.SETTING, lack="pooler"
            )
        with weights.loading():
            encoder = SentenceTransformer(
                str(folder / "model"), device="cpu", trust_remote_code=False
            )
        _check_words(encoder, folder)
        classifier = cls(encoder, labels, plan)
        classifier.module.head.load_state_dict(weights.read_tensors([folder / "head.safetensors"]))
        weights.refuse_non_finite(classifier.module.state_dict(), str(folder))
        classifier.module.eval()
        return classifier

    def save(self, folder: Path) -> None:
        """Write the encoder, the linear layer and the class names to a folder.

        They go to the subfolder `model`, to `head.safetensors` and to `labels.json`.
        """
        self.module.encoder.save(str(folder / "model"), create_model_card=False)
        save_file(
            {name: tensor.cpu() for name, tensor in self.module.head.state_dict().items()},
            folder / "head.safetensors",
        )
        atomic.write_text(
            folder / "labels.json", json.dumps(self.labels, ensure_ascii=False, indent=1) + "\n"
        )

    def collate(self, examples: Sequence[TrainingExample]) -> Batch:
        """Return a batch: ids of both sentences, and class indices (-100 for an unknown class)."""
        return network.with_labels(self._encode(examples), examples, self.labels)

    def outputs(self, examples: Sequence[TrainingExample]) -> list[str]:
        """Return the name of the most probable class of each pair."""
        return network.best_classes(self.module, self._encode(examples), self.labels)

    def _encode(self, examples: Sequence[TrainingExample]) -> Batch:
        sides = {
            "first": [row.source for row in examples],
            "second": [row.second for row in examples],
        }
        return {name: self.module.encoder.preprocess(texts) for name, texts in sides.items()}


def _labels(folder: Path) -> list[str]:
    return network.check_labels(parse_json(received.text(folder / "labels.json")), folder)


def _encoder(plan: NetworkPlan, train: Sequence[TrainingExample]) -> SentenceTransformer:
    start = plan.start
    if plan.folder is not None:
        with torch.random.fork_rng(devices=[]):  # the check must not advance the random numbers
            network.start(plan.folder, "AutoModel", lack="pooler")
        with weights.loading():
            transformer = Transformer(str(plan.folder), max_seq_length=plan.training.longest)
        modules = [transformer, Pooling(transformer.get_embedding_dimension(), "mean")]
        return SentenceTransformer(modules=modules, device="cpu")
    names = words_of(text for row in train for text in (row.source, row.second))
    vectors = word_vectors(names, start)
    tokenizer = WhitespaceTokenizer([_PADDING, *names], stop_words=[], do_lower_case=True)
    embeddings = WordEmbeddings(
        tokenizer, vectors, update_embeddings=True, max_seq_length=plan.training.longest
    )
    lstm = LSTM(vectors.shape[1], plan.start.hidden, bidirectional=True)
    pooling = Pooling(
        lstm.get_embedding_dimension(), "max" if start.features == "infersent" else "mean"
    )
    return SentenceTransformer(modules=[embeddings, lstm, pooling], device="cpu")


def _check_words(encoder: SentenceTransformer, folder: Path) -> None:
    """Raise SettingsError unless an encoder with word vectors has exactly one vector per word."""
    first = encoder[0]
    if not isinstance(first, WordEmbeddings):
        return
    words, vectors = len(first.tokenizer.get_vocab()), first.emb_layer.num_embeddings
    if words != vectors:
        raise SettingsError(
            f"{folder} has {words} words but {vectors} word vectors, so its files do not belong together. Train or "
            "download the model again."
        )


def words_of(texts: Iterable[str]) -> list[str]:
    """Return the distinct words of texts in lower case, most frequent first.

    Texts are divided into words in the same way as by `WhitespaceTokenizer`.
    """
    counts = Counter(
        word.strip(string.punctuation) for text in texts for word in text.lower().split()
    )
    del counts[""]  # from tokens that consist of punctuation only
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def word_vectors(names: Sequence[str], start: NetworkStart) -> Vectors:
    """Return word vectors, shape (words + 1, dimensions), of which the first is 0, for padding.

    Raises SettingsError if `model.vectors` is not an encoder.
    """
    if start.vectors == RANDOM:
        vectors = np.random.default_rng(0).normal(0, 0.1, (len(names), _UNITS))
    else:
        vectors = _averages(names, start.vectors)
    return np.vstack([np.zeros((1, vectors.shape[1])), vectors]).astype(np.float32)


def _averages(names: Sequence[str], encoder: str) -> Any:
    """Return, for each word, the mean of an encoder's input embeddings over its pieces."""
    folder = hub.fetch(encoder, choose=hub.choose_files, setting="model.vectors").folder
    subject = f"model.vectors is {encoder!r}, which"
    tokenizer = pretrained.load_tokenizer(folder, subject)
    with torch.random.fork_rng(devices=[]):  # loading must not advance the random numbers
        model = pretrained.load_model(
            folder, "AutoModel", subject, setting="model.vectors", lack="pooler"
        )
    table = model.get_input_embeddings().weight.detach().numpy()
    pieces = tokenizer(list(names), add_special_tokens=False)["input_ids"]
    return np.array(
        [table[row].mean(axis=0) if row else np.zeros(table.shape[1]) for row in pieces]
    )
