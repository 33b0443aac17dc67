"""Settings of a training: task and data, network, hyperparameters and test sets. `TrainSettings` combines them."""

import unicodedata
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from bitext_pivot.core.reading.column_names import ColumnNames, check_columns
from bitext_pivot.core.settings import Settings
from bitext_pivot.research.metrics.evaluation_settings import Scoring

Task = Literal["split", "fuse", "markers", "relations", "entailment"]
ModelKind = Literal["generate", "classify", "joint"]
REWRITING: tuple[Task, ...] = ("split", "fuse")
"""Tasks whose output is a text. The output of the other tasks is a class."""
PAIRWISE: tuple[ModelKind, ...] = ("classify", "joint")
"""Kinds of networks that assign a class to a pair of texts."""
_COLUMNS = (
    "id",
    "long",
    "split",
    "s1",
    "s2",
    "text",
    "first",
    "second",
    "connective",
    "discourse_type",
    "marker",
    "sense",
    "premise",
    "hypothesis",
    "label",
    "category_bisect",
    "split_at",
    "licence",
)
"""Columns that the tasks read from files of rows."""
Seed = Annotated[int, Field(ge=0, lt=2**32)]
_USUAL: dict[Task, ModelKind] = {
    "split": "generate",
    "fuse": "generate",
    "markers": "classify",
    "relations": "classify",
    "entailment": "joint",
}
"""Default kind of network for each task."""
ENCODER = "all-MiniLM-L6-v2"
_USUAL_STARTS: dict[ModelKind, str] = {
    "generate": "google-t5/t5-small",
    "classify": ENCODER,
    "joint": ENCODER,
}
"""Default pretrained model for each kind of network."""
RANDOM = "random"
LSTM = "lstm"


class NetworkStart(Settings):
    """Kind of the network, and the weights it starts from."""

    kind: ModelKind | None = None
    """Kind of network. `generate`: a sequence-to-sequence model; `classify`: an encoder of each text and a linear
    layer; `joint`: an encoder of both texts together (a cross-encoder) and a linear layer. If empty: generate for split
    and fuse, classify for markers and relations, joint for entailment."""
    start: str = ""
    """Pretrained model: its name on the hub, folder or package. It is an encoder (classify, joint) or a
    sequence-to-sequence model (generate). `lstm` is a BiLSTM over word vectors (classify); `random` means random
    weights, for tests. If empty: google-t5/t5-small for generate, all-MiniLM-L6-v2 otherwise."""
    revision: str | None = None
    """Branch, tag or commit of a model on the hub."""
    size: Literal["tiny", "small"] = "tiny"
    """Size of a network with random weights: tiny has 2 layers of 64 units, small has 3 layers of 256."""
    vectors: str = ENCODER
    """Word vectors of an lstm: `random`, or the name of an encoder. With an encoder, the vector of a word is the mean
    of the input embeddings of its pieces."""
    hidden: int = Field(default=256, ge=1, le=4096)
    """Hidden units of an lstm in each direction."""
    features: Literal["infersent", "concat"] | None = None
    """Input of the linear layer of `classify`, given the two text vectors u and v. `infersent`: u, v, u * v and
    |u - v|; `concat`: u and v. If empty: infersent for markers, concat for relations."""


class Hyperparameters(Settings):
    """How a network is trained."""

    epochs: float = Field(default=3, gt=0, le=10_000)
    """Number of passes over the training rows."""
    max_steps: int | None = Field(default=None, ge=1, le=1_000_000_000)
    """Number of updates, instead of `epochs`."""
    batch: int = Field(default=32, ge=1, le=100_000)
    """Batch size: number of rows in memory at once."""
    accumulate: int = Field(default=1, ge=1, le=100_000)
    """Number of batches per update. Two batches of 4 rows give the same loss as one batch of 8."""
    learning_rate: float = Field(default=1e-4, gt=0, lt=1)
    """Peak learning rate. The rate rises during `warmup` and then falls linearly to 0."""
    warmup: float = Field(default=0.06, ge=0, lt=1)
    """Share of the updates during which the learning rate rises."""
    patience: int = Field(default=3, ge=1, le=1_000_000)
    """Stop after this many epochs without a lower validation loss."""
    label_smoothing: float = Field(default=0, ge=0, lt=1)
    """Label smoothing: share of the probability that is spread over all tokens or labels."""
    longest: int = Field(default=160, ge=8, le=100_000)
    """Maximum length of a text, in pieces; longer texts are truncated."""
    seeds: list[Seed] = Field(default=[0], min_length=1, max_length=100)
    """Seeds. A model is trained with each seed. Scores are reported as mean and standard deviation, and the model of
    the first seed is kept."""

    @model_validator(mode="after")
    def _has_each_seed_once(self) -> Self:
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError(
                f"seeds contains a seed twice ({', '.join(map(str, self.seeds))}): name each once"
            )
        return self


class Decoding(Settings):
    """How texts are generated."""

    beams: int = Field(default=4, ge=1, le=1_000)
    """Number of beams of the beam search (generate)."""
    no_repeat: int = Field(default=3, ge=0, le=1_000)
    """Length of the shortest n-gram of pieces that an output must not repeat (generate); 0 allows all repetitions."""
    reverse: bool = False
    """Learn the two sentences of a split in reverse order, and reverse them again in the output, so that the network
    cannot begin by copying the source (generate; WikiSplit++, Tsukagoshi et al. 2024)."""


class TestSet(Settings):
    """A test set in files, on which the model is tested after the training."""

    __test__ = False  # pytest would otherwise collect this class

    name: str = Field(pattern=r"^[\w.-]+$", max_length=60)
    """Name of the test set in the report and of its file of outputs."""
    source: Path
    """For split and fuse, a text file of source texts, one per line. For the other tasks, a file of rows with a
    class."""
    references: list[Path] = []
    """For split and fuse, text files with the expected outputs (references), one line per source line."""


def output_file(test: str, number: int) -> str:
    """Return the name of the output file for a test set and the index of a seed, counted from 0."""
    return f"{test}.{number}.txt" if number else f"{test}.txt"


class TrainSettings(Settings):
    """What to train, on which rows, and how to test it."""

    task: Task
    """Task to learn. `split`: split a sentence in two; `fuse`: fuse two sentences; `markers`: predict the discourse
    marker between two sentences; `relations`: predict the sense of their relation; `entailment`: decide whether one
    text follows from another."""
    data: list[str] = Field(min_length=1)
    """Rows to train on: folders of data sets (also relative to the data folder: fr-en/latest), files of rows (JSON
    lines, TSV, CSV, Parquet, .src with .dst, .rels), folders saved by `datasets`, or owner/name of a data set on the
    hub."""
    titles: list[str] = []
    """Accepted titles of data sets, such as `fr-en: Everyday/v1`; other data sets are refused. If empty, any title is
    accepted."""
    more: list[str] = []
    """More data sets or files, whose rows are used for training only."""
    columns: Annotated[ColumnNames, AfterValidator(partial(check_columns, known=_COLUMNS))] = {}
    """Names that the files use for columns, such as long=complex,split=simple."""
    variant: str = ""
    """Which rows to read from a data set that contains several kinds, such as balanced, base or strict. If empty, the
    first kind that its README.md lists."""
    licence: str = "unknown"
    """Licence of the rows of files, as an SPDX identifier."""
    loss: Literal["plain", "targets", "adaptive"] = "plain"
    """Loss for the task split, on rows with a category (BiSECT, section 4.3). `targets`: the network learns targets
    that equal the source except near the split; `adaptive`: in addition, a network of kind `generate` predicts the
    category."""
    model: NetworkStart = NetworkStart()
    """The network and the weights it starts from."""
    training: Hyperparameters = Hyperparameters()
    """How the network is trained."""
    decoding: Decoding = Decoding()
    """Beam search, and the order of the generated sentences."""
    tests: list[TestSet] = []
    """Test sets in files, in addition to the test rows of the data."""
    scoring: Scoring = Scoring()
    """How the outputs on test sets are scored."""

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        """Raise ValueError for settings that contradict each other."""
        kind, start = self.kind, self.start.start
        if (kind in PAIRWISE) is (self.task in REWRITING):
            raise ValueError(
                f"model.kind {kind!r} cannot learn {self.task!r}: expected {self._kinds}."
            )
        if self.loss != "plain" and self.task != "split":
            raise ValueError(
                f"loss {self.loss} is for the task split, not for {self.task!r}. Leave it out."
            )
        if (start == LSTM and kind != "classify") or (start == RANDOM and kind == "classify"):
            raise ValueError(
                f"model.start {start!r} is not for model.kind {kind!r}. Name a pretrained model."
            )
        if self.decoding.reverse and self.task != "split":
            raise ValueError("decoding.reverse is for the task split. Leave it out.")
        return self

    @model_validator(mode="after")
    def _write_each_output_once(self) -> Self:
        """Raise ValueError if two test sets would share an output file.

        Names that differ only in case count as equal, because some file systems ignore case.
        """
        numbers = range(len(self.training.seeds))
        files = [output_file(test.name, number) for test in self.tests for number in numbers]
        counts = Counter(unicodedata.normalize("NFKC", file).casefold() for file in files)
        twice = [file for file, count in counts.items() if count > 1]
        if twice:
            raise ValueError(
                f"tests has two test sets that would both write {twice[0]}: give each a different name."
            )
        return self

    @property
    def kind(self) -> ModelKind:
        """Kind of the network: the setting `model.kind`, or the default for the task."""
        return self.model.kind or _USUAL[self.task]

    @property
    def names(self) -> list[str]:
        """Names of all data sets and files of rows to train on."""
        return [*self.data, *self.more]

    @property
    def test_files(self) -> list[Path]:
        """The files of all test sets."""
        files: list[Path] = []
        for test in self.tests:
            files += [test.source, *test.references]
        return files

    @property
    def _kinds(self) -> str:
        return "generate" if self.task in REWRITING else " or ".join(PAIRWISE)

    @property
    def start(self) -> NetworkStart:
        """The setting `model`, with the defaults of the task for empty fields."""
        model = self.model.start or _USUAL_STARTS[self.kind]
        features = self.model.features or ("infersent" if self.task == "markers" else "concat")
        return self.model.model_copy(
            update={"kind": self.kind, "start": model, "features": features}
        )

    @property
    def title(self) -> str:
        """Title of the training run: `train split: fr-en/latest`."""
        return f"train {self.task}: {', '.join(self.data)}"
