"""What a recipe publishes: its kinds of rows, their columns, and what the division and the card need of a record.

A recipe over documents adds one file to `corpus/recipes/`, such as `discourse/recipes/discofuse.py`:

1. A class of rows, a `TypedDict` whose columns have docstrings, with the columns `id`, `corpus`, `release`, `licence`
   and those of `CountSpec.labels`. Kinds may share a class, and a record may be in several kinds; the last one is
   `rejected`. If the kinds depend on the form, a function returns the recipe.
2. A subclass of `bitext_pivot.corpus.formats.ExportSettings`, the type of `export` in the recipe's form: the names
   of its formats, and a `TextFormat` for each one that is neither `parquet` nor `jsonl`.
3. A `Recipe`: what is read and divided (`RecordSpec`), written (`RowSpec`), counted (`CountSpec`), said by the card
   (`CardText`) and shown by the inspector (`RowView`); and its paper in `corpus/citation.bib`.

Its flow ends with two lines:

* `divided = divide_all(RECIPE, shards, settings)` (tasks/divide.py) divides the records of the last stage, whose
  shards these are, into train, validation and test;
* `export(RECIPE, divided, settings, signature)` (tasks/export.py) writes them in all formats, with card, counts
  and manifest, and keeps a complete data set. `signature` is that of `tasks/ahead/check.py`.
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
"""The kind of row of rejected records, in the data sets of all recipes."""
REST = "rest"
"""The kind of row of kept records that are not among the requested best ones."""


class Record(Protocol):
    """A record of the last stage of a recipe: a dataclass that says why it was rejected."""

    @property
    def rejected_by(self) -> str | None:
        """The filter or rule that rejected it; None if it was kept."""


def row_columns(row: type, record: Any, **values: Any) -> dict[str, Any]:
    """Return the columns of a class of rows: `values`, those of the record's source, and its own fields."""
    source = record.source
    fields = {name: getattr(record, name, None) for name in row.__annotations__}
    fields |= {"corpus": source.corpus, "release": source.release, "licence": source.licence}
    return fields | {"document": source.document, **values}


def document_item(record: Any, position: int, text: str) -> DivisionItem:
    """Return what the division needs of a record whose sentences are of one document."""
    return DivisionItem(record.id, record.source.corpus, record.source.document, position, (text,))


def inspector_row(
    row: Mapping[str, Any], long: str, split: Sequence[str], **columns: Any
) -> dict[str, Any]:
    """Return what the inspector shows of a record, without foreign texts and scores unless they are given."""
    return {**row, "long": long, "split": split, "foreign": [], "scores": {}, **columns}


_REBUILD = (
    "The command that built this data set builds it again with `--preset README.md`: with the same settings, releases "
    "and models. A warning lists the libraries and files that have changed since."
)
AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, kw_only=True)
class RowView:
    """How the inspector shows the records of a recipe, kept and rejected."""

    row: Callable[[Any], dict[str, Any]]
    """Return `id`, `language`, `long` (a text), `split` (two texts), `foreign` (texts beside them), `scores` by name,
    and the columns of `facets` and `labels`."""
    facets: Mapping[str, str]
    """Titles of the columns by which rows can be chosen."""
    labels: Sequence[str]
    """Columns that stand beside the verdict."""
    titles: Mapping[str, str]
    """Titles of `long`, `split` and `foreign`."""
    sliders: Mapping[str, Any] = field(default_factory=dict)
    """`sliders` of the filters of the build (filters/presentation.py); empty if no filter has thresholds."""

    def layout(self) -> dict[str, Any]:
        """Return what the page needs besides the rows."""
        return {
            "facets": self.facets,
            "labels": self.labels,
            "titles": self.titles,
            "sliders": self.sliders,
        }


LINKS = "links"
"""What the positions of items count in the recipes of pairs and documents."""


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
    """What is read of the last stage, and divided."""

    record: type[AnyRecord]
    """Class of the records in its shards."""
    stages: Mapping[str, str]
    """Names of the stages by their folders, in order, for the funnel."""
    item: Callable[[Any], DivisionItem]
    """Return what the division needs of a record."""
    unread: Collection[str] = ()
    """Tuples in a record that nothing here needs, such as `lemmas`: they are not read, and empty."""
    reader: Callable[[Path], Iterator[AnyRecord]] | None = None
    """Yield the records of a shard, if they are not what is stored in it."""
    positions: str = LINKS
    """What the positions of items count; part of the key of divided shards."""
    last: str = "judge"
    """Name of the stage that rejects records for other reasons than filters."""

    def read(self, path: Path) -> Iterator[AnyRecord]:
        """Yield the records of a shard, in order."""
        if self.reader is not None:
            return self.reader(path)
        from bitext_pivot.core.storage import shards  # imports pyarrow, which forms do not need

        return shards.read(path, self.record, self.unread)


@dataclass(frozen=True, kw_only=True)
class RowSpec:
    """What is written."""

    classes: Mapping[str, type]
    """Class of the rows of each kind. A kind is a folder and a configuration of `load_dataset`, the first the default
    one; the last is `rejected`, whose rows have `rejected_by` besides."""
    row: Callable[[Any, str], Mapping[str, Any]]
    """Return the columns of a record in a kind, without `rejected_by`."""
    kinds: Callable[[Any], Collection[str]] = _in_pairs
    """Return the kinds that have a kept record."""
    equal_by: Callable[[Any], Sequence[str]] | None = None
    """Return the texts by which kept records are equal, of which the first one is kept; None to keep all."""
    scores: Sequence[str] = ()
    """Names of the numbers in the column `scores`, if the rows have one."""
    ranking_input: Callable[[Any], RankingInput] | None = None
    """Return what a kept record is ranked by, if the rows have a column `trust`."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of a data set by name, each with what it is in half a sentence."""
    write: Callable[[BuildFacts], Mapping[str, bytes]] = _no_files
    """Return the contents of `files` by name."""

    @property
    def first_kind(self) -> str:
        """The default kind."""
        return next(iter(self.classes))


@dataclass(frozen=True, kw_only=True)
class CountSpec:
    """What is counted besides rows, for the card and `stats.json`."""

    labels: Sequence[str] = ()
    """Columns whose values are counted, for kept records."""
    unique: Sequence[str] = ()
    """Columns whose different values are counted, for kept records. Memory: 8 bytes per record and column."""
    count: Callable[[Any, str | None], Mapping[tuple[str, ...], int]] = _no_counts
    """Return the recipe's own counts of one record, given what rejected it."""


@dataclass(frozen=True, kw_only=True)
class CardText:
    """What the card says besides numbers."""

    about: str = ""
    """What a row is and which paper describes the method, a sentence or two in Markdown."""
    limits: Sequence[str] = ()
    """Known limits, a sentence each."""
    task: str = "text-generation"
    """Task of the hub."""
    tags: Sequence[str] = ()
    """Tags of the hub."""
    paper: str = ""
    """Key of the paper's entry in corpus/citation.bib."""
    notes: Callable[[BuildFacts], str] = _no_notes
    """Return further sections of the card, in Markdown (core/templates.py)."""
    rebuild: str = _REBUILD
    """How to build again from the settings in the card, a sentence or two."""
    group: Callable[[Any], str] = _one_group
    """Return in which group of examples a record is; some are drawn of each."""
    example: Callable[[Any], str] | None = None
    """Return a record in Markdown, its id first; without it an example is a list of columns."""
    legend: str = ""
    """How to read an example."""


@dataclass(frozen=True, kw_only=True)
class Recipe(Generic[AnyRecord]):
    """What a recipe publishes of its records."""

    records: RecordSpec[AnyRecord]
    rows: RowSpec
    counted: CountSpec
    card: CardText
    view: RowView


def add_rest_kind(recipe: Recipe[AnyRecord], best: float) -> Recipe[AnyRecord]:
    """Return a recipe with the kind `rest` behind the default one, if only a share of the rows is the data set."""
    if best == 1:
        return recipe
    first = recipe.rows.first_kind
    classes = {first: recipe.rows.classes[first], REST: recipe.rows.classes[first]}
    return replace(recipe, rows=replace(recipe.rows, classes={**classes, **recipe.rows.classes}))
