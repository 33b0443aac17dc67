"""Recipes, which describe the data set of a build: its rows and columns, its division into subsets, and its card.

A recipe over documents adds one file, such as `discourse/recipes/discofuse.py`, which contains:

1. A row class, a `TypedDict` whose columns have docstrings, with the columns `id`, `corpus`, `release`, `licence` and
   all columns in `CountSpec.labels`. Kinds may share a class, and a record may be in several kinds. The last kind is
   `rejected`. If the kinds depend on the settings, a function returns the recipe.
2. A subclass of `bitext_pivot.corpus.formats.ExportSettings`, the type of the recipe's setting `export`: the names of
   its formats, and a `TextFormat` for each format except `parquet` and `jsonl`.
3. A `Recipe`, which consists of a `RecordSpec` (how records are read and divided), a `RowSpec` (how they are written),
   a `CountSpec`, the `CardText`, and a `RowView` for the inspector.

The paper of the recipe has an entry in `corpus/citation.bib`. The flow of the recipe ends with two calls:

* `divided = divide_all(RECIPE, shards, settings)` (tasks/divide.py) divides the records in the shards of the last stage
  into train, validation and test.
* `export(RECIPE, divided, settings, signature)` (tasks/export.py) writes them in all formats, with the card, the counts
  and the manifest. The `signature` comes from `tasks/ahead/check.py`. A data set that is complete is not written again.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus.division import DivisionItem
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.trust import RankingInput

REJECTED = "rejected"
"""Name of the kind of row for rejected records, in all recipes."""
REST = "rest"
"""Name of the kind of row for kept records that do not belong to the best share, if the user requests one."""


class Record(Protocol):
    """A record to export, such as a judged pair: a dataclass that states whether it was rejected."""

    @property
    def rejected_by(self) -> str | None:
        """The filter or rule that rejected the record; None if it was kept."""


def row_columns(row: type, record: Any, **values: Any) -> dict[str, Any]:
    """Return a row as a dictionary, with the columns of the class `row`.

    The values are the fields of the record and of its source, unless `values` overrides them.
    """
    source = record.source
    fields = {name: getattr(record, name, None) for name in row.__annotations__}
    fields |= {"corpus": source.corpus, "release": source.release, "licence": source.licence}
    return fields | {"document": source.document, **values}


def document_item(record: Any, position: int, text: str) -> DivisionItem:
    """Return the fields that decide the subset of a record from a single document."""
    return DivisionItem(record.id, record.source.corpus, record.source.document, position, (text,))


def inspector_row(
    row: Mapping[str, Any], long: str, split: Sequence[str], **columns: Any
) -> dict[str, Any]:
    """Return the columns that inspector.html shows for a record.

    Foreign texts and scores are empty unless `columns` contains them.
    """
    return {**row, "long": long, "split": split, "foreign": [], "scores": {}, **columns}


_REBUILD = (
    "The command that built this data set builds it again with `--preset README.md`: with the same settings, releases "
    "and models. A warning lists the libraries and files that have changed since."
)
AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, kw_only=True)
class RowView:
    """How the page inspector.html shows the records of a recipe, both kept and rejected."""

    row: Callable[[Any], dict[str, Any]]
    """Function that returns the columns to show: `id`, `language`, `long` (a text), `split` (two texts), `foreign`
    (texts shown next to them), `scores` by name, and the columns of `facets` and `labels`."""
    facets: Mapping[str, str]
    """Titles of the columns by which a reader can filter rows."""
    labels: Sequence[str]
    """Columns shown next to the verdict on a record, that is, next to `kept` or the reason for its rejection."""
    titles: Mapping[str, str]
    """Titles of the columns `long`, `split` and `foreign`."""
    sliders: Mapping[str, Any] = field(default_factory=dict)
    """Sliders for the thresholds of the filters (filters/presentation.py); empty if no filter has thresholds."""

    def layout(self) -> dict[str, Any]:
        """Return the data of inspector.html except the rows."""
        return {
            "facets": self.facets,
            "labels": self.labels,
            "titles": self.titles,
            "sliders": self.sliders,
        }


LINKS = "links"
"""Unit of `DivisionItem.position` in all recipes except a join, which counts sentences."""


def _in_pairs(record: Any) -> Collection[str]:
    return ("pairs",)


def _no_counts(record: Any, rejected_by: str | None) -> Mapping[tuple[str, ...], int]:
    return Counts()


def _one_group(record: Any) -> str:
    return ""


def _no_notes(facts: BuildFacts) -> str:
    return ""


def _no_files(facts: BuildFacts) -> Mapping[str, bytes]:
    return {}


@dataclass(frozen=True, kw_only=True)
class RecordSpec(Generic[AnyRecord]):
    """How the records of a recipe's last stage are read and assigned to subsets."""

    record: type[AnyRecord]
    """Class of the records in the shards of the last stage."""
    stages: Mapping[str, str]
    """Names of the stages for the card's table of losses, by the prefix of their folders, in order."""
    item: Callable[[Any], DivisionItem]
    """Function that returns the fields of a record that decide its subset."""
    unread: Collection[str] = ()
    """Tuple fields that the export does not need, such as `lemmas`. They are empty in the records it reads."""
    reader: Callable[[Path], Iterator[AnyRecord]] | None = None
    """Function that yields the records of a shard, if the shard does not store them directly."""
    positions: str = LINKS
    """Unit of `DivisionItem.position`. It is part of the digest in the folder names of shards with assignments."""
    last: str = "judge"
    """Name of the stage that rejects records for reasons other than filters."""

    def read(self, path: Path) -> Iterator[AnyRecord]:
        """Yield the records of a shard, in order."""
        if self.reader is not None:
            return self.reader(path)
        from bitext_pivot.core.storage import shards  # imports pyarrow, which a form does not need

        return shards.read(path, self.record, self.unread)


@dataclass(frozen=True, kw_only=True)
class RowSpec:
    """The kinds of rows of a data set, their columns, and further files."""

    classes: Mapping[str, type]
    """The row class of each kind of row. A kind is a folder and a configuration of `load_dataset`. The first kind is
    the default; the last kind is `rejected`, whose rows also have the column `rejected_by`."""
    row: Callable[[Any, str], Mapping[str, Any]]
    """Function that returns the row for a record and a kind of row, without the column `rejected_by`."""
    kinds: Callable[[Any], Collection[str]] = _in_pairs
    """Function that returns the kinds of row, such as `pairs`, that a kept record is written to."""
    equal_by: Callable[[Any], Sequence[str]] | None = None
    """Function that returns the texts by which records are compared. Only the first of equal records is kept. If it is
    None, all are kept."""
    scores: Sequence[str] = ()
    """Names of the scores in the column `scores`. Empty if the rows have no such column."""
    ranking_input: Callable[[Any], RankingInput] | None = None
    """Function that returns the corpus and scores by which a kept record is ranked, if the rows have a column
    `trust`."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of further files of the data set, by file name."""
    write: Callable[[BuildFacts], Mapping[str, bytes]] = _no_files
    """Function that returns the contents of `files`, by file name."""

    @property
    def first_kind(self) -> str:
        """Name of the default kind of row."""
        return next(iter(self.classes))


@dataclass(frozen=True, kw_only=True)
class CountSpec:
    """Counts for the card and `stats.json`, in addition to the numbers of rows."""

    labels: Sequence[str] = ()
    """Columns of kept records whose values are counted."""
    unique: Sequence[str] = ()
    """Columns of kept records whose distinct values are counted. Each record needs 8 bytes per column."""
    count: Callable[[Any, str | None], Mapping[tuple[str, ...], int]] = _no_counts
    """Function that returns further counts of a record, given the reason for its rejection or None."""


@dataclass(frozen=True, kw_only=True)
class CardText:
    """Texts for the card (README.md) of a data set."""

    about: str = ""
    """What a row is and which paper describes the method, in one or two sentences of Markdown."""
    limits: Sequence[str] = ()
    """Known limits, one sentence each."""
    task: str = "text-generation"
    """Task category on the Hugging Face hub."""
    tags: Sequence[str] = ()
    """Tags on the Hugging Face hub."""
    paper: str = ""
    """Key of the paper's entry in corpus/citation.bib."""
    notes: Callable[[BuildFacts], str] = _no_notes
    """Function that returns further sections of the card, in Markdown (core/templates.py)."""
    rebuild: str = _REBUILD
    """How to build the data set again from its card, in one or two sentences."""
    group: Callable[[Any], str] = _one_group
    """Function that returns the group of a record. Some examples are drawn from each group."""
    example: Callable[[Any], str] | None = None
    """Function that returns a record in Markdown, beginning with its id. If it is None, the columns are listed."""
    legend: str = ""
    """How to read an example."""


@dataclass(frozen=True, kw_only=True)
class Recipe(Generic[AnyRecord]):
    """The description of a kind of data set: how records are read, written, counted and shown."""

    records: RecordSpec[AnyRecord]
    rows: RowSpec
    counted: CountSpec
    card: CardText
    view: RowView


def add_rest_kind(recipe: Recipe[AnyRecord], best: float) -> Recipe[AnyRecord]:
    """Return the recipe with a kind of row for the kept records outside the best share.

    This kind, `rest`, follows the default kind. If `best` is 1, the recipe is returned unchanged.
    """
    if best == 1:
        return recipe
    first = recipe.rows.first_kind
    classes = {first: recipe.rows.classes[first], REST: recipe.rows.classes[first]}
    return replace(recipe, rows=replace(recipe.rows, classes={**classes, **recipe.rows.classes}))
