"""Discovery: two adjacent sentences, without the discourse marker with which the second began."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypedDict

from bitext_pivot.core.records import MarkedPair, SelectedPair
from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import DivisionItem
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.formats import ExportSettings, TextFormat
from bitext_pivot.corpus.recipe import (
    REJECTED,
    CardText,
    CountSpec,
    Recipe,
    RecordSpec,
    RowSpec,
    RowView,
    document_item,
    inspector_row,
    row_columns,
)
from bitext_pivot.discourse.mining.variants import VARIANTS

_HEADER = "sentence1\tsentence2\tlabel"
_SHOWN = 10
"""README.md lists up to this many of the best predicted markers, and of the worst."""


class MarkedRow(TypedDict):
    """Two adjacent sentences and the discourse marker to predict."""

    id: str
    """`corpus/release/language/document:position-position`."""
    language: str
    """Language of the sentences."""
    marker: str
    """The discourse marker in lower case, with `_` between its words, and with a comma if the marker includes one:
    `sadly,`, `in_fact,`, `however`. `[no-conn]` if there is no marker."""
    found: str
    """How the marker was recognised: as an `adverb`, by the `list` of markers, or as a `phrase`; `none` for
    `[no-conn]`."""
    first: str
    """The first sentence."""
    second: str
    """The second sentence without the discourse marker."""
    original: str
    """The second sentence as it is in the document."""
    rank: int | None
    """Rank of the marker among the markers predicted from n-grams; 1 is the most likely. Null if no marker was
    predicted for the pair."""
    corpus: str
    """Name of the OPUS corpus or of the user's own documents."""
    release: str
    """Release of the corpus."""
    licence: str
    """SPDX identifier or a short text; `unknown` if the corpus states none."""
    document: str
    """Name of the document."""
    positions: list[int]
    """Positions of the two sentences in the document, counted from 1."""


_COLUMNS = ("first", "second", "marker")


class DiscoveryFiles(ExportSettings):
    """Formats and sizes of the files of a Discovery data set."""

    formats: list[Literal["parquet", "jsonl", "tsv", "infersent"]] = [
        "parquet",
        "jsonl",
        "tsv",
        "infersent",
    ]
    """parquet and jsonl have all columns and include rejected pairs; `load_dataset` reads either. tsv has the
    columns sentence1, sentence2 and label with a header, as on the Hugging Face hub. infersent writes the
    line-aligned files .s1, .s2 and .labels of the paper's release."""

    TEXT: ClassVar[Mapping[str, TextFormat]] = {
        "tsv": TextFormat(files={".tsv": _COLUMNS}, texts=_COLUMNS, header=_HEADER),
        "infersent": TextFormat(
            files={".s1": ["first"], ".s2": ["second"], ".labels": ["marker"]}, texts=_COLUMNS
        ),
    }


def _build_row(drawn: SelectedPair, kind: str) -> dict[str, Any]:
    positions = list(drawn.pair.positions)
    return row_columns(MarkedRow, drawn.pair, rank=drawn.rank, positions=positions)


def division_item(pair: MarkedPair) -> DivisionItem:
    """Return the item by which a pair is assigned to training, validation or test."""
    return document_item(pair, pair.positions[0], f"{pair.first} {pair.second}")


def _render_notes(facts: BuildFacts) -> str:
    """Return a section of README.md on how well each discourse marker can be predicted."""
    report = facts.signature["markers"]
    drawn = {name: row for name, row in report["markers"].items() if "drawn" in row}
    by_share = sorted(
        drawn, key=lambda name: drawn[name]["predicted"] / drawn[name]["drawn"], reverse=True
    )
    return render(
        "discourse/recipes/discovery.jinja",
        control=report["control"],
        markers=drawn,
        most=by_share[:_SHOWN],
        least=by_share[_SHOWN:][-_SHOWN:],
    )


def _inspector_row(drawn: SelectedPair) -> dict[str, Any]:
    row = _build_row(drawn, "base")
    scores = {"rank of the marker": drawn.rank}
    if drawn.rank is None:
        scores = {}
    return inspector_row(
        row,
        long=f"{row['first']} {row['original']}",
        split=[row["first"], row["second"]],
        scores=scores,
        sentence_ids=[str(position) for position in row["positions"]],
    )


DISCOVERY: Recipe[SelectedPair] = Recipe(
    records=RecordSpec(
        record=SelectedPair,
        stages={
            "sentences": "sentences",
            "parsed": "parse",
            "candidates": "mine",
            "selected": "select",
        },
        item=lambda drawn: division_item(drawn.pair),
    ),
    rows=RowSpec(
        classes=dict.fromkeys((*VARIANTS, REJECTED), MarkedRow),
        row=_build_row,
        kinds=lambda drawn: drawn.variants,
    ),
    counted=CountSpec(labels=("marker", "found")),
    card=CardText(
        about="Pairs of adjacent sentences; the discourse marker with which the second began is removed and is the "
        "label. The variants are those of Discovery (Sileo et al., NAACL 2019).",
        limits=(
            "One reader found that the marker relates the two sentences in 47 of 50 English pairs of `strict` and in "
            "51 of 60 pairs of `faithful` (parliament).",
            "The label is the marker of the text; other markers may fit as well.",
        ),
        task="text-classification",
        tags=("discourse-marker-prediction",),
        paper="sileo-etal-2019-mining",
        notes=_render_notes,
    ),
    view=RowView(
        row=_inspector_row,
        facets={"marker": "Marker", "found": "Found as", "corpus": "Corpus"},
        labels=("marker",),
        titles={"long": "As written", "split": "Without the marker", "foreign": ""},
    ),
)
