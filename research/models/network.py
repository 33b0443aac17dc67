"""The interface of all networks, and functions to fetch and load the pretrained models they start from."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from pydantic import Field

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import hub, pretrained
from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.training_settings import (
    LSTM,
    PAIRWISE,
    RANDOM,
    Decoding,
    Hyperparameters,
    ModelKind,
    NetworkStart,
)

if TYPE_CHECKING:
    from torch import nn

Batch = dict[str, Any]
"""Tensors by name: the inputs of a PyTorch module, and `labels`, which are `IGNORED` for padding and unknown
classes."""
IGNORED = -100
"""The label that the loss functions of transformers ignore."""
SETTING = "model.start"
SIZES = {"tiny": (64, 2), "small": (256, 3)}
"""Number of hidden units and of layers in models with random weights."""
_PIECES = 4_000


class NetworkPlan(Settings):
    """Everything needed to build a network, saved with the trained model for later use."""

    kind: ModelKind
    """Kind of the network: generate, classify or joint."""
    start: NetworkStart
    """Kind and pretrained weights of the network before training."""
    folder: Path | None = Field(default=None, exclude=True)
    """Folder of the pretrained model; None for an lstm and for random weights."""
    training: Hyperparameters
    """How the network is trained."""
    decoding: Decoding
    """How texts are generated, if the kind is generate."""
    language: str = "en"
    """Language of the texts."""
    is_adaptive: bool = False
    """Whether a category head is trained together with the generator (BiSECT's adaptive loss)."""


class Network(Protocol):
    """The interface of all kinds of networks that can be trained."""

    module: "nn.Module"
    """The PyTorch module, which computes `logits` from a batch without labels."""

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[TrainingExample]) -> Self:
        """Return an untrained network, whose labels and vocabulary come from the examples `train`."""

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Load a trained network from the folder to which `save` wrote it."""

    def save(self, folder: Path) -> None:
        """Write the network to a folder.

        The subfolder `model` can be loaded with transformers or sentence-transformers.
        """

    def collate(self, examples: Sequence[TrainingExample]) -> Batch:
        """Return the examples as a batch of tensors, the input of a training step."""

    def outputs(self, examples: Sequence[TrainingExample]) -> list[str]:
        """Return the generated text or the predicted class of each example.

        Targets and labels of the examples are not used.
        """


def with_labels(pieces: Batch, examples: Sequence[TrainingExample], labels: Sequence[str]) -> Batch:
    """Add the class index of each example to a batch, or `IGNORED` for an unknown class."""
    import torch  # slow, and most functions of this module do not need it

    indices = {label: index for index, label in enumerate(labels)}
    targets = [indices.get(example.label, IGNORED) for example in examples]
    return {**pieces, "labels": torch.tensor(targets)}


def best_classes(module: "nn.Module", pieces: Batch, labels: Sequence[str]) -> list[str]:
    """Return the name of the most probable class of each pair in a batch."""
    import torch
    from accelerate.utils import send_to_device

    batch = send_to_device(pieces, next(module.parameters()).device)
    with torch.inference_mode():
        best = module(**batch)["logits"].argmax(dim=1)
    return [labels[number] for number in best.tolist()]


def fetch(start: NetworkStart) -> hub.LocalModel | None:
    """Download the pretrained model from which a network starts, and return where it is.

    Returns None if the network starts from random weights.

    Raises SettingsError if there is no such model, and SourceError if it cannot be downloaded.
    """
    if start.start in {LSTM, RANDOM}:
        return None
    return hub.fetch(start.start, choose=hub.choose_files, setting=SETTING, revision=start.revision)


def preview(start: NetworkStart) -> Preview | None:
    """Return the size and files of the pretrained model from which a network starts.

    Returns None if the network starts from random weights.

    Raises SettingsError if there is no such model, and SourceError if the hub does not answer.
    """
    if start.start in {LSTM, RANDOM}:
        return None
    return hub.preview(
        start.start, choose=hub.choose_files, setting=SETTING, revision=start.revision
    )


def start(folder: Path, auto: str, *, lack: pretrained.Lack = "nothing", **options: object) -> Any:
    """Load the pretrained transformers model from which a training starts.

    `auto` is the name of its class, such as AutoModel. `lack` and `options` are passed to `pretrained.load_model`.
    """
    return pretrained.load_model(
        folder, auto, _subject(folder), setting=SETTING, lack=lack, **options
    )


def start_tokenizer(folder: Path) -> Any:
    """Load the tokenizer of the pretrained model that is to be trained further.

    Raises SettingsError if the tokenizer cannot be loaded.
    """
    return pretrained.load_tokenizer(folder, _subject(folder))


def load_trained(folder: Path, auto: str) -> tuple[Any, Any]:
    """Load a trained model and its tokenizer from a folder.

    Raises SettingsError if they cannot be loaded or do not fit together.
    """
    tokenizer = pretrained.load_tokenizer(folder, str(folder))
    module = pretrained.load_model(folder, auto, str(folder), setting=SETTING, lack="exact")
    pretrained.check_fit(module, tokenizer, str(folder))
    return module, tokenizer


def check_labels(labels: object, folder: Path) -> list[str]:
    """Return the labels of a trained model.

    Raises SettingsError unless they are distinct strings of one line.
    """
    names = labels if isinstance(labels, list) else []
    are_lines = all(isinstance(name, str) and len(name.splitlines()) == 1 for name in names)
    if not (names and are_lines and len(set(names)) == len(names)):
        raise SettingsError(
            f"The labels in {folder} are not distinct strings of one line each. Train or download the model again."
        )
    return names


def _subject(folder: Path) -> str:
    return f"{SETTING} is {str(folder)!r}, which"


def random_tokenizer(examples: Sequence[TrainingExample], special: dict[str, str]) -> Any:
    """Train a byte-level BPE tokenizer on the texts of examples.

    `special` maps roles such as pad_token to tokens.
    """
    import tokenizers
    from transformers import PreTrainedTokenizerFast

    bpe = tokenizers.Tokenizer(tokenizers.models.BPE())
    bpe.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)
    bpe.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=_PIECES,
        special_tokens=[*special.values()],
        initial_alphabet=alphabet,
        show_progress=False,
    )
    bpe.train_from_iterator(
        (text for row in examples for text in (row.source, row.second, row.target)), trainer
    )
    end = bpe.token_to_id(special["eos_token"])
    bpe.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"$A {special['eos_token']}",
        pair=f"$A {special['eos_token']} $B:1 {special['eos_token']}:1",
        special_tokens=[(special["eos_token"], end)],
    )
    return PreTrainedTokenizerFast(tokenizer_object=bpe, **special)


def example(line: str, number: int, kind: ModelKind) -> TrainingExample:
    """Return the example for an input line: a text to rewrite, or a pair to classify.

    The two texts of a pair are separated by a tab. Raises SettingsError if the tab is missing.
    """
    first, tab, second = line.partition("\t") if kind in PAIRWISE else (line, "", "")
    if kind in PAIRWISE and not tab:
        raise SettingsError(
            f"Line {number} has no tab. Expected two sentences per line, with a tab between them."
        )
    return TrainingExample(
        id=str(number), source=squeezed(first), second=squeezed(second), licence=""
    )
