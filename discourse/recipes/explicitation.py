"""Explicitation: two neighbouring sentences without a connective, and the sense of their relation.

The sense is taken from connectives that appear when the sentences are translated back from other languages.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypedDict

from bitext_pivot.corpus.division import DivisionItem
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
from bitext_pivot.discourse.explicitation_records import ExplicitatedPair


class ReadingRow(TypedDict):
    """A relation of two sentences, as shown by their back-translation from one language."""

    language: str
    """Pivot language of the back-translation."""
    connective: str
    """Connective in the back-translation, in lower case."""
    sense: str
    """Most frequent sense of the connective."""


class BackTranslationRow(TypedDict):
    """Two sentences, translated back from one language."""

    language: str
    """Pivot language of the back-translations."""
    first: str
    """Back-translation of the first sentence."""
    second: str
    """Back-translation of the second sentence."""


class ExplicitatedRow(TypedDict):
    """Two neighbouring sentences and the sense of their relation."""

    id: str
    """`corpus/release/language/document:first-second`, with the positions of the sentences in the document,
    counted from 1."""
    language: str
    """Language of the sentences."""
    first: str
    """The first sentence (Arg1)."""
    second: str
    """The second sentence (Arg2)."""
    sense: str
    """PDTB-3 sense at level 2. In the data set `all`, it is empty if the languages disagree."""
    sense_pdtb2: str
    """The corresponding PDTB-2 sense; empty if there is none."""
    votes: int
    """Number of pivot languages whose back-translation shows this sense."""
    readings: list[ReadingRow]
    """Relations made explicit by the back-translations, at most one per language."""
    has_alternative: bool
    """True if `second` starts with a phrase such as `for this reason`, which PDTB-3 calls an AltLex."""
    back_translations: list[BackTranslationRow]
    """All back-translations, with or without a connective."""
    corpus: str
    """Name of the OPUS corpus."""
    release: str
    """Release of the corpus."""
    licence: str
    """SPDX identifier or a short text; `unknown` if the corpus states none."""
    document: str
    """Name of the document."""
    sentence_ids: list[str]
    """Ids of the two sentences in the document."""


class ExplicitationFiles(ExportSettings):
    """Formats and sizes of the files of an explicitation data set."""

    formats: list[Literal["parquet", "jsonl", "tsv"]] = ["parquet", "jsonl"]
    """parquet and jsonl have all columns and include rejected pairs; `load_dataset` reads either. tsv has the
    columns first, second, sense and votes."""

    TEXT: ClassVar[Mapping[str, TextFormat]] = {
        "tsv": TextFormat(
            files={".tsv": ["first", "second", "sense", "votes"]},
            texts=("first", "second"),
            header="first\tsecond\tsense\tvotes",
        )
    }


def explicitation_recipe(kinds: Sequence[str]) -> Recipe[ExplicitatedPair]:
    """Return the recipe that writes the data sets named in `kinds`; the first is the default."""
    return Recipe(
        records=RecordSpec(
            record=ExplicitatedPair,
            stages={"neighbours": "neighbours", "back": "translate", "explicitated": "label"},
            item=_division_item,
        ),
        rows=RowSpec(
            classes=dict.fromkeys([*kinds, REJECTED], ExplicitatedRow),
            row=partial(_build_row, default=kinds[0]),
            kinds=lambda pair: pair.senses,
        ),
        counted=CountSpec(labels=("sense",)),
        card=CardText(
            about="Implicit discourse relations between neighbouring sentences, labelled through back-translations "
            "(Shi et al. 2019). Each kind is a data set of the paper's Table 1.",
            limits=(
                "Labels come from the connectives of back-translations. One reader found 11 of 14 relations of "
                "`strict` correct (news), and 21 of 40 relations with a single vote, which `faithful` includes.",
                "Most relations are Comparison.Contrast, because translators make other senses explicit less often.",
            ),
            task="text-classification",
            tags=("discourse-relations", "implicit-discourse-relations", "machine-translated"),
            paper="shi-etal-2019-acquiring",
        ),
        view=RowView(
            row=partial(_inspector_row, default=kinds[0]),
            facets={"sense": "Sense", "votes": "Votes", "corpus": "Corpus"},
            labels=("sense", "connectives"),
            titles={
                "long": "Original",
                "split": "Back-translation",
                "foreign": "All back-translations",
            },
        ),
    )


def _build_row(pair: ExplicitatedPair, kind: str, default: str) -> dict[str, Any]:
    neighbours = pair.translated.neighbours
    sense = pair.senses.get(kind, pair.senses.get(default, ""))
    agreeing = [reading for reading in pair.readings if reading.sense == sense]
    return row_columns(
        ExplicitatedRow,
        neighbours,
        sense=sense,
        sense_pdtb2=agreeing[0].sense_pdtb2 if agreeing else "",
        votes=len(agreeing),
        readings=[
            {"language": r.language, "connective": r.connective, "sense": r.sense}
            for r in pair.readings
        ],
        has_alternative=pair.has_alternative,
        back_translations=[
            {"language": back.language, "first": back.texts[0], "second": back.texts[1]}
            for back in pair.translated.back
        ],
        sentence_ids=list(neighbours.ids),
    )


_NO_BACK_TRANSLATION = BackTranslationRow(language="", first="", second="")


def _inspector_row(pair: ExplicitatedPair, default: str) -> dict[str, Any]:
    row = _build_row(pair, default, default)
    named = {reading["language"]: reading["connective"] for reading in row["readings"]}
    back = row.pop("back_translations")
    read = next(
        (entry for entry in back if entry["language"] in named),
        back[0] if back else _NO_BACK_TRANSLATION,
    )
    return inspector_row(
        row,
        long=f"{row['first']} {row['second']}",
        split=[read["first"], read["second"]],
        foreign=[f"{entry['language']}: {entry['first']} {entry['second']}" for entry in back],
        connectives=", ".join(f"{name} ({language})" for language, name in named.items()),
        votes=str(row["votes"]),
    )


def _division_item(pair: ExplicitatedPair) -> DivisionItem:
    neighbours = pair.translated.neighbours
    position = int(neighbours.id.rpartition("-")[2])
    return document_item(neighbours, position, f"{neighbours.first} {neighbours.second}")
