"""DiscoFuse: a text of one sentence or two, and two sentences without its discourse phenomenon."""

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
from bitext_pivot.corpus.formats import DataRow, Files, TextFormat
from bitext_pivot.corpus.recipe import (
    REJECTED,
    CardText,
    Counted,
    Recipe,
    Records,
    Rows,
    RowView,
    columns,
    document_item,
    inspected,
)

_PUBLISHED = Path(__file__).with_name("published.toml")


class FusedRow(TypedDict):
    """A text with a discourse phenomenon, and two sentences that say the same without it."""

    id: str
    """`corpus/release/language/document:position`, of two neighbours `...:position-position`."""
    language: str
    """Language of the texts."""
    discourse_type: str
    """One of DiscoFuse's 13 labels: `SINGLE_...` of one sentence, `PAIR_...` of two."""
    connective: str
    """What joins the two sentences, tokenised, in lower case; empty for none."""
    has_pronoun: bool
    """True if a pronoun of the text is a noun phrase in `second`."""
    has_nominal: bool
    """Always false: only pronouns are resolved. DiscoFuse: a noun phrase of the text is another one in `second`."""
    text: list[str]
    """The text, tokenised: one sentence or two."""
    first: str
    """The first of the two sentences."""
    second: str
    """The second one."""
    corpus: str
    """Name of the OPUS corpus or of the user's own documents."""
    release: str
    """Release of the corpus."""
    licence: str
    """SPDX identifier or a short text; `unknown` if the corpus states none."""
    document: str
    """Document of the text."""
    positions: list[int]
    """Numbers of the sentences of `text` in the document, counted from 1."""


_HEADER = (
    "coherent_first_sentence", "coherent_second_sentence", "incoherent_first_sentence", "incoherent_second_sentence",
    "discourse_type", "connective_string", "has_coref_type_pronoun", "has_coref_type_nominal",
)  # fmt: skip
"""Columns of the released files."""


def _format_text(row: DataRow) -> str:
    """Return the text as two columns, the second one empty for one sentence."""
    return "\t".join((*row["text"], "")[:2])


def _format_flag(name: str) -> Callable[[DataRow], str]:
    """Return what gives 0.0 or 1.0, as in the released files, for a column of booleans."""
    return lambda row: f"{float(row[name])}"


class FusedFiles(Files):
    """Formats and sizes of the files of a data set of fused sentences."""

    formats: list[Literal["parquet", "jsonl", "discofuse"]] = ["parquet", "jsonl", "discofuse"]
    """parquet, jsonl: all columns, also of rejected pairs; `load_dataset` reads either. discofuse: `.tsv` of
    eight columns with a header, as DiscoFuse was released."""

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
    return columns(FusedRow, pair, has_nominal=False, **lists)


def _division_item(pair: FusedPair) -> DivisionItem:
    return document_item(pair, pair.positions[0], " ".join(pair.text))


def _inspector_row(pair: FusedPair) -> dict[str, Any]:
    return inspected(
        _build_row(pair, ""),
        long=" ".join(pair.text),
        split=[pair.first, pair.second],
        sentence_ids=[str(position) for position in pair.positions],
    )


def _render_notes(facts: BuildFacts) -> str:
    """Return a section on the paper's sizes and shares of connectives beside those of a build."""
    numbers = Counter[str]()  # with commas or without
    for connective, number in facts.counts.below("labels", "connective").items():
        numbers[connective.strip(" ,")] += number
    return render(
        "discourse/recipes/discofuse.jinja",
        facts=facts,
        published=read_toml(_PUBLISHED)["fusion"],
        numbers=numbers,
    )


DISCOFUSE: Recipe[FusedPair] = Recipe(
    records=Records(
        record=FusedPair,
        stages={"sentences": "sentences", "parsed": "parse", "fused": "unfuse"},
        item=_division_item,
    ),
    rows=Rows(classes={"pairs": FusedRow, REJECTED: FusedRow}, row=_build_row),
    counted=Counted(labels=("discourse_type", "connective")),
    card=CardText(
        about="Texts and the two sentences that rules made of them, in the style of DiscoFuse (Geva et al., NAACL "
        "2019).",
        limits=(
            "The rules work on automatic parses. Of 160 English outputs of `strict`, from news and parliament, one "
            "reader found 145 right; `faithful` has more errors.",
            "By default only *he* and *she* for the name of a person are resolved (`coreference` in the settings "
            "below).",
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
    """Return the recipe with a further kind, the pairs for which `is_drawn` is true."""
    rows = Rows(
        classes={"pairs": FusedRow, "balanced": FusedRow, REJECTED: FusedRow},
        row=_build_row,
        kinds=lambda pair: ("pairs", "balanced") if is_drawn(pair) else ("pairs",),
    )
    about = f"{DISCOFUSE.card.about} `balanced` has the rows of `pairs` with fewer of the most frequent phenomena."
    return replace(DISCOFUSE, rows=rows, card=replace(DISCOFUSE.card, about=about))
