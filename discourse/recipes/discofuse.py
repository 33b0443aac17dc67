"""DiscoFuse: a text of one or two sentences, and two sentences without its discourse phenomenon."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal, TypedDict

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.records import FusedPair
from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import DivisionItem
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.formats import DataRow, ExportSettings, TextFormat
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

_PUBLISHED = Path(__file__).with_name("published.toml")


class FusedRow(TypedDict):
    """A text with a discourse phenomenon, and two sentences with its meaning but without it."""

    id: str
    """`corpus/release/language/document:position`; `...:position-position` for a text of two sentences."""
    language: str
    """Language of the texts."""
    discourse_type: str
    """One of DiscoFuse's 13 labels: `SINGLE_...` for a text of one sentence, `PAIR_...` for a text of two."""
    connective: str
    """The connective between the two sentences, tokenised, in lower case; empty if there is none."""
    has_pronoun: bool
    """True if a pronoun of the text was replaced by a noun phrase in `second`."""
    has_nominal: bool
    """Always false, because only pronouns are resolved. In DiscoFuse, true if a noun phrase of the text was
    replaced by another in `second`."""
    text: list[str]
    """The text, tokenised: a list of one or two sentences."""
    first: str
    """The first of the two sentences without the phenomenon."""
    second: str
    """The second of the two sentences without the phenomenon."""
    corpus: str
    """Name of the OPUS corpus or of the user's own documents."""
    release: str
    """Release of the corpus."""
    licence: str
    """SPDX identifier or a short text; `unknown` if the corpus states none."""
    document: str
    """Name of the document."""
    positions: list[int]
    """Positions of the sentences of `text` in the document, counted from 1."""


_HEADER = (
    "coherent_first_sentence", "coherent_second_sentence", "incoherent_first_sentence", "incoherent_second_sentence",
    "discourse_type", "connective_string", "has_coref_type_pronoun", "has_coref_type_nominal",
)  # fmt: skip
"""Columns of the released DiscoFuse files."""


def _format_text(row: DataRow) -> str:
    """Return the text as two columns, of which the second is empty if it has one sentence."""
    return "\t".join((*row["text"], "")[:2])


def _format_flag(name: str) -> Callable[[DataRow], str]:
    """Return a function that formats a boolean column as 0.0 or 1.0, as in the released files."""
    return lambda row: f"{float(row[name])}"


class FusedFiles(ExportSettings):
    """Formats and sizes of the files of a DiscoFuse data set."""

    formats: list[Literal["parquet", "jsonl", "discofuse"]] = ["parquet", "jsonl", "discofuse"]
    """parquet and jsonl have all columns and include rejected pairs; `load_dataset` reads either. discofuse
    is a `.tsv` file with a header and eight columns, as in the release of DiscoFuse."""

    TEXT: ClassVar[Mapping[str, TextFormat]] = {
        "discofuse": TextFormat(
            files={".tsv": [
                _format_text, "first", "second", "discourse_type", "connective",
                _format_flag("has_pronoun"), _format_flag("has_nominal"),
            ]},
            texts=("text", "first", "second"),
            header="\t".join(_HEADER),
        )
    }  # fmt: skip


def _build_row(pair: FusedPair, kind: str) -> dict[str, Any]:
    lists = {"text": list(pair.text), "positions": list(pair.positions)}
    return row_columns(FusedRow, pair, has_nominal=False, **lists)


def _division_item(pair: FusedPair) -> DivisionItem:
    return document_item(pair, pair.positions[0], " ".join(pair.text))


def _inspector_row(pair: FusedPair) -> dict[str, Any]:
    return inspector_row(
        _build_row(pair, ""),
        long=" ".join(pair.text),
        split=[pair.first, pair.second],
        sentence_ids=[str(position) for position in pair.positions],
    )


def _render_notes(facts: BuildFacts) -> str:
    """Return a section of README.md that compares the data set with the DiscoFuse paper."""
    numbers = Counter[str]()  # by connective, with and without commas together
    for connective, number in facts.counts.below("labels", "connective").items():
        numbers[connective.strip(" ,")] += number
    return render(
        "discourse/recipes/discofuse.jinja",
        facts=facts,
        published=read_toml(_PUBLISHED)["fusion"],
        numbers=numbers,
    )


DISCOFUSE: Recipe[FusedPair] = Recipe(
    records=RecordSpec(
        record=FusedPair,
        stages={"sentences": "sentences", "parsed": "parse", "fused": "unfuse"},
        item=_division_item,
    ),
    rows=RowSpec(classes={"pairs": FusedRow, REJECTED: FusedRow}, row=_build_row),
    counted=CountSpec(labels=("discourse_type", "connective")),
    card=CardText(
        about="Texts of one or two sentences, and the two sentences that rules derived from them, as in DiscoFuse "
        "(Geva et al., NAACL 2019).",
        limits=(
            "The rules rely on automatic parses. One reader found 145 of 160 English outputs of `strict` correct "
            "(news and parliament); `faithful` has more errors.",
            "By default, only *he* and *she* are resolved, and only to the name of a person (`coreference` in the "
            "settings below).",
        ),
        tags=("sentence-fusion", "split-and-rephrase", "synthetic"),
        paper="geva-etal-2019-discofuse",
        notes=_render_notes,
    ),
    view=RowView(
        row=_inspector_row,
        facets={"discourse_type": "Phenomenon", "connective": "Connective", "corpus": "Corpus"},
        labels=("discourse_type", "connective"),
        titles={"long": "Text", "split": "Two sentences", "foreign": ""},
    ),
)


def add_balanced_kind(is_drawn: Callable[[FusedPair], bool]) -> Recipe[FusedPair]:
    """Return the DiscoFuse recipe, with a second kind of rows for a balanced selection.

    These rows, `balanced`, are the pairs for which `is_drawn` is true.
    """
    rows = RowSpec(
        classes={"pairs": FusedRow, "balanced": FusedRow, REJECTED: FusedRow},
        row=_build_row,
        kinds=lambda pair: ("pairs", "balanced") if is_drawn(pair) else ("pairs",),
    )
    about = f"{DISCOFUSE.card.about} `balanced` is a selection of `pairs` with fewer of the most frequent phenomena."
    return replace(DISCOFUSE, rows=rows, card=replace(DISCOFUSE.card, about=about))
