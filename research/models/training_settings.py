"""Settings of a training: what is learned, from which start, how, and how it is tested. `TrainSettings` has all."""

import unicodedata
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from bitext_pivot.core.reading.row_files import ColumnNames, check_columns
from bitext_pivot.core.settings import Settings
from bitext_pivot.research.metrics.evaluation_settings import Scoring

Task = Literal["split", "fuse", "markers", "relations", "entailment"]
ModelKind = Literal["generate", "classify", "joint"]
REWRITING: tuple[Task, ...] = ("split", "fuse")
"""Tasks whose result is a text; that of the others is a class."""
PAIRWISE: tuple[ModelKind, ...] = ("classify", "joint")
"""Kinds that give a pair of texts a class."""
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
"""Columns of files of rows that a task reads."""
Seed = Annotated[int, Field(ge=0, lt=2**32)]
_USUAL: dict[Task, ModelKind] = {
    "split": "generate",
    "fuse": "generate",
    "markers": "classify",
    "relations": "classify",
    "entailment": "joint",
}
"""Kind of the network of a task, if none is given."""
ENCODER = "all-MiniLM-L6-v2"
_USUAL_STARTS: dict[ModelKind, str] = {
    "generate": "google-t5/t5-small",
    "classify": ENCODER,
    "joint": ENCODER,
}
"""Start of a network of a kind, if none is given."""
RANDOM = "random"
LSTM = "lstm"


class NetworkStart(Settings):
    """The network, and the weights that it starts from."""

    kind: ModelKind | None = None
    """generate: a sequence-to-sequence model; classify: an encoder of each text and a linear layer; joint: an
    encoder that reads both texts at once (a cross-encoder) and a linear layer. Empty: generate for split and
    fuse, classify for markers and relations, joint for entailment."""
    start: str = ""
    """Name on the hub, folder or package of a pretrained model: an encoder (classify, joint) or a
    sequence-to-sequence model (generate). `lstm`: a BiLSTM over word vectors (classify). `random`: random
    weights, for tests. Empty: google-t5/t5-small for generate, all-MiniLM-L6-v2 for the others."""
    revision: str | None = None
    """Branch, tag or commit of a model of the hub."""
    size: Literal["tiny", "small"] = "tiny"
    """Size of a random start: tiny has 2 layers of 64 units, small 3 of 256."""
    vectors: str = ENCODER
    """Word vectors of an lstm: an encoder, whose input embeddings of a word's pieces are averaged; or `random`."""
    hidden: int = Field(default=256, ge=1, le=4096)
    """Units of an lstm in each direction."""
    features: Literal["infersent", "concat"] | None = None
    """What the linear layer of `classify` sees of two vectors u and v. infersent: u, v, u * v, |u - v|; concat: u, v.
    Empty: infersent for markers, concat for relations."""


class Hyperparameters(Settings):
    """How a network is trained."""

    epochs: float = Field(default=3, gt=0, le=10_000)
    """Passes over the training rows."""
    max_steps: int | None = Field(default=None, ge=1, le=1_000_000_000)
    """Updates after which training ends, in place of `epochs`."""
    batch: int = Field(default=32, ge=1, le=100_000)
    """Rows in memory at once."""
    accumulate: int = Field(default=1, ge=1, le=100_000)
    """Batches of an update; the loss of an update of 2 x 4 rows is that of 8."""
    learning_rate: float = Field(default=1e-4, gt=0, lt=1)
    """Highest learning rate; it rises for `warmup` and falls linearly to 0."""
    warmup: float = Field(default=0.06, ge=0, lt=1)
    """Share of the updates over which the learning rate rises."""
    patience: int = Field(default=3, ge=1, le=1_000_000)
    """Evaluations without a lower development loss after which training ends; it is evaluated after each epoch."""
    label_smoothing: float = Field(default=0, ge=0, lt=1)
    """Share of the probability that is spread over all tokens or labels."""
    longest: int = Field(default=160, ge=8, le=100_000)
    """Pieces of a text that are read; what follows is cut off."""
    seeds: list[Seed] = Field(default=[0], min_length=1, max_length=100)
    """A model is trained for each; the scores are means with standard deviations, the model is that of the first."""

    @model_validator(mode="after")
    def _has_each_seed_once(self) -> Self:
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError(
                f"seeds has one twice ({', '.join(map(str, self.seeds))}): name each once"
            )
        return self


class Decoding(Settings):
    """How texts are generated."""

    beams: int = Field(default=4, ge=1, le=1_000)
    """Beams of `generate`."""
    no_repeat: int = Field(default=3, ge=0, le=1_000)
    """`generate` repeats no run of this many pieces; 0: it may."""
    reverse: bool = False
    """`generate` learns the two sentences of a split in reverse order, and they are turned back in the output
    (WikiSplit++, Tsukagoshi et al. 2024): it cannot begin by copying the source."""


class TestSet(Settings):
    """Texts that a model is tested on after the training."""

    __test__ = False  # no test of pytest

    name: str = Field(pattern=r"^[\w.-]+$", max_length=60)
    """Name in the report, and of the file of outputs."""
    source: Path
    """split, fuse: text file of sources, one per line. Other tasks: file of rows."""
    references: list[Path] = []
    """Text files of references, one line per source line, for split and fuse."""


def output_file(test: str, number: int) -> str:
    """Return the name of the file of outputs for a test set, of the seed with a number from 0."""
    return f"{test}.{number}.txt" if number else f"{test}.txt"


class TrainSettings(Settings):
    """What to train, on which rows, and how it is tested."""

    task: Task
    """split: a sentence to two. fuse: two sentences to one text. markers: the discourse marker of two
    sentences. relations: the sense of their relation. entailment: whether one text follows from another."""
    data: list[str] = Field(min_length=1)
    """Folders of data sets (fr-en/latest is found in the data folder, too) or files of rows: JSON lines, TSV,
    CSV, Parquet, .src with .dst, .rels; a folder that `datasets` saved; owner/name of a data set on the
    hub."""
    titles: list[str] = []
    """Titles of data sets, such as `fr-en: Everyday/v1`: one with another title is refused. Empty: any."""
    more: list[str] = []
    """Data sets or files whose rows are for training only."""
    columns: Annotated[ColumnNames, AfterValidator(partial(check_columns, known=_COLUMNS))] = {}
    """Names of columns in files of rows where they have others: long=complex,split=simple."""
    variant: str = ""
    """Kind of rows of a data set, such as balanced, base or strict. Empty: the first one of its card."""
    licence: str = "unknown"
    """Licence of the rows of files, an SPDX identifier."""
    loss: Literal["plain", "targets", "adaptive"] = "plain"
    """targets: they equal the source away from the split. adaptive: besides, `generate` predicts the category
    (BiSECT, section 4.3). For split, with rows that have a category."""
    model: NetworkStart = NetworkStart()
    """The network and its start."""
    training: Hyperparameters = Hyperparameters()
    """How it is trained."""
    decoding: Decoding = Decoding()
    """How texts come out of it."""
    tests: list[TestSet] = []
    """Test sets in files, besides the test sets of the data."""
    scoring: Scoring = Scoring()
    """How outputs are scored."""

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        """Refuse a network that the task cannot use."""
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
        """Refuse test sets whose outputs would be one file, on file systems that know no case, too."""
        numbers = range(len(self.training.seeds))
        files = [output_file(test.name, number) for test in self.tests for number in numbers]
        counts = Counter(unicodedata.normalize("NFKC", file).casefold() for file in files)
        twice = [file for file, count in counts.items() if count > 1]
        if twice:
            raise ValueError(
                f"tests has two whose outputs are {twice[0]}: give each test set a name of its own."
            )
        return self

    @property
    def kind(self) -> ModelKind:
        """Kind of the network, that of the task if none is given."""
        return self.model.kind or _USUAL[self.task]

    @property
    def names(self) -> list[str]:
        """All data sets and files of rows."""
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
        """The start with the kind, the model and the features of the task where none are given."""
        model = self.model.start or _USUAL_STARTS[self.kind]
        features = self.model.features or ("infersent" if self.task == "markers" else "concat")
        return self.model.model_copy(
            update={"kind": self.kind, "start": model, "features": features}
        )

    @property
    def title(self) -> str:
        """Name of the run."""
        return f"train {self.task}: {', '.join(self.data)}"
