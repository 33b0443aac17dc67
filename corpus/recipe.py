"""What a recipe publishes: its kinds of rows, their columns, and what the division and the card need of a record.

A recipe over documents adds one file to `corpus/recipes/`, such as `corpus/recipes/discofuse.py`:

1. A class of rows, a `TypedDict` whose columns have docstrings, with the columns `id`, `corpus`, `release`, `licence`
   and those of `labels`. Kinds may share a class, and a record may be in several kinds; the last one is `rejected`. If
   the kinds depend on the form, a function returns the recipe.
2. A subclass of `corpus.formats.Files`, the type of `export` in the recipe's form: the names of its formats, and a
   `TextFormat` for each one that is neither `parquet` nor `jsonl`.
3. A `Recipe`, and its paper in `corpus/citation.bib`.

Its flow ends with `export_recipe(RECIPE, shards, settings, signature)` (tasks/export_recipe.py): records are divided
into train, validation and test (the stage `divide`, a shard for each of the last stage), and written in all formats,
with card, counts and manifest; a complete data set is kept.
`shards` are the paths of the last stage, `signature` is that of `tasks/check.py`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from corpus.divide import Item

REJECTED = "rejected"
"""The kind of row of rejected records, in the data sets of all recipes."""


class Record(Protocol):
    """A record of the last stage of a recipe: a dataclass that says why it was rejected."""

    @property
    def rejected_by(self) -> str | None:
        """The filter or rule that rejected it; None if it was kept."""


AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, kw_only=True)
class View:
    """How the inspector shows the records of a recipe, kept and rejected."""

    id: str
    """Field of a record that is its id, such as `pair.id`."""
    row: Callable[[Any], dict[str, Any]]
    """Return `id`, `language`, `long` (a text), `split` (two texts), `foreign` (texts beside them), `scores` by name,
    and the columns of `facets` and `labels`."""
    facets: Mapping[str, str]
    """Titles of the columns by which rows can be chosen."""
    labels: Sequence[str]
    """Columns that stand beside the verdict."""
    titles: Mapping[str, str]
    """Titles of `long`, `split` and `foreign`."""

    def layout(self) -> dict[str, Any]:
        """Return what the page needs besides the rows."""
        return {"facets": self.facets, "labels": self.labels, "titles": self.titles}


@dataclass(frozen=True, kw_only=True)
class Recipe(Generic[AnyRecord]):
    """What a recipe publishes of its records."""

    record: type[AnyRecord]
    """Class of the records in the shards of its last stage."""
    rows: Mapping[str, type]
    """Class of the rows of each kind. A kind is a folder and a configuration of `load_dataset`, the first the default
    one; the last is `rejected`, whose rows have `rejected_by` besides."""
    stages: Sequence[str] = ()
    """Names of the stages' folders, in order, for the card."""
    row: Callable[[Any, str], Mapping[str, Any]] = lambda record, _: record
    """Return the columns of a record in a kind, without `rejected_by`."""
    kinds: Callable[[Any], Collection[str]] = lambda _: ("pairs",)
    """Return the kinds that have a kept record."""
    item: Callable[[Any], Item]
    """Return what the division needs of a record, or of the values of `item_fields` if there are some."""
    item_fields: Sequence[str] = ()
    """Fields such as `scored.parsed.pair.id`, for large records: the division reads no others."""
    text_fields: Collection[str] = ()
    """Those of `item_fields` that only its texts need. `item` gets the texts of a list joined by spaces, and "" where
    no text is requested."""
    read: Callable[[Any, Any], Any] | None = None
    """For large records: return an Arrow batch of records with `row_fields` as one of rows, given their schema. Then
    `row` and `kinds` are not called: kept records have the first kind."""
    row_fields: Sequence[str] = ()
    count: Callable[[Any, Sequence[bool]], dict[str, Any]] = lambda _batch, _is_kept: {}
    """Return counts of an Arrow batch of records with `count_fields` for the card, given whether each is kept."""
    count_fields: Sequence[str] = ()
    labels: Sequence[str] = ()
    """Columns whose values are counted, for kept records."""
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
    view: View
    """How the inspector shows the records."""
    notes: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Return a section of the card, in Markdown, made of the signature."""
