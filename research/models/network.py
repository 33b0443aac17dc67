"""What every network has, and the models that networks start from."""

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
"""Tensors by name: `labels`, with `IGNORED` where nothing is learned, and what the module takes."""
IGNORED = -100
"""The label that transformers' losses leave out."""
SETTING = "model.start"
SIZES = {"tiny": (64, 2), "small": (256, 3)}
"""Units and layers of random starts."""
_PIECES = 4_000


class NetworkPlan(Settings):
    """What a network is built from. Its JSON is what `apply` needs to know."""

    kind: ModelKind
    """generate, classify or joint."""
    start: NetworkStart
    """The network before training."""
    folder: Path | None = Field(default=None, exclude=True)
    """Folder of the pretrained model; None for an lstm and for random weights."""
    training: Hyperparameters
    """How it is trained."""
    decoding: Decoding
    """How texts come out of it."""
    language: str = "en"
    """Language of the rows."""
    is_adaptive: bool = False
    """True for a class head beside the loss of the tokens (BiSECT's adaptive loss)."""


class Network(Protocol):
    """A network with what belongs to it: the trainer and the task know no more of it."""

    module: "nn.Module"
    """Takes a batch without labels; its output has `logits`."""

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[TrainingExample]) -> Self:
        """Return a network before training; its labels and its words are those of `train`."""

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Return the network that `save` wrote to a folder."""

    def save(self, folder: Path) -> None:
        """Write the network; `model` in the folder is in the format of its library."""

    def collate(self, examples: Sequence[TrainingExample]) -> Batch:
        """Return the batch of examples."""

    def outputs(self, examples: Sequence[TrainingExample]) -> list[str]:
        """Return the text or the class that the network gives for each example; targets and labels are not read."""


def labelled(pieces: Batch, examples: Sequence[TrainingExample], labels: Sequence[str]) -> Batch:
    """Return a batch with the numbers of the classes, `IGNORED` for a class that was not trained."""
    import torch  # which the other functions here do not need

    numbers = {label: number for number, label in enumerate(labels)}
    found = [numbers.get(example.label, IGNORED) for example in examples]
    return {**pieces, "labels": torch.tensor(found)}


def best_classes(module: "nn.Module", pieces: Batch, labels: Sequence[str]) -> list[str]:
    """Return the best class of each pair of a batch."""
    import torch
    from accelerate.utils import send_to_device

    batch = send_to_device(pieces, next(module.parameters()).device)
    with torch.inference_mode():
        best = module(**batch)["logits"].argmax(dim=1)
    return [labels[number] for number in best.tolist()]


def fetch(start: NetworkStart) -> hub.LocalModel | None:
    """Return the pretrained model of a start on this machine, None if it has none. Raises as `hub.fetch`."""
    if start.start in {LSTM, RANDOM}:
        return None
    return hub.fetch(start.start, choose=hub.choose_files, setting=SETTING, revision=start.revision)


def preview(start: NetworkStart) -> Preview | None:
    """Return the size of the pretrained model of a start, None if it has none. Raises as `hub.preview`."""
    if start.start in {LSTM, RANDOM}:
        return None
    return hub.preview(
        start.start, choose=hub.choose_files, setting=SETTING, revision=start.revision
    )


def start(folder: Path, auto: str, *, lack: pretrained.Lack = "nothing", **options: object) -> Any:
    """Return the model of transformers that a training starts from, as `pretrained.model`."""
    return pretrained.model(folder, auto, _subject(folder), setting=SETTING, lack=lack, **options)


def start_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of the model that a training starts from. Raises SettingsError as `pretrained.tokenizer`."""
    return pretrained.tokenizer(folder, _subject(folder))


def trained(folder: Path, auto: str) -> tuple[Any, Any]:
    """Return the model in the folder of a trained one, with its tokenizer. Raises as `pretrained.model`."""
    tokenizer = pretrained.tokenizer(folder, str(folder))
    module = pretrained.model(folder, auto, str(folder), setting=SETTING, lack="exact")
    pretrained.check_fit(module, tokenizer, str(folder))
    return module, tokenizer


def check_labels(labels: object, folder: Path) -> list[str]:
    """Return the labels of a trained model. Raises SettingsError unless they are different texts of one line each."""
    names = labels if isinstance(labels, list) else []
    are_lines = all(isinstance(name, str) and len(name.splitlines()) == 1 for name in names)
    if not (names and are_lines and len(set(names)) == len(names)):
        raise SettingsError(
            f"{folder} has labels that are no different texts of one line each. Train or download the model again."
        )
    return names


def _subject(folder: Path) -> str:
    return f"{SETTING} is {str(folder)!r}, which"


def random_tokenizer(examples: Sequence[TrainingExample], special: dict[str, str]) -> Any:
    """Return a byte-level BPE tokenizer of the texts of examples; `special` are tokens by role, such as pad_token."""
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
    """Return a line of input as an example. Raises SettingsError for a pair to classify without its tab."""
    first, tab, second = line.partition("\t") if kind in PAIRWISE else (line, "", "")
    if kind in PAIRWISE and not tab:
        raise SettingsError(
            f"Line {number} has no tab. Expected two sentences per line, with a tab between them."
        )
    return TrainingExample(
        id=str(number), source=squeezed(first), second=squeezed(second), licence=""
    )
