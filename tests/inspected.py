"""Pairs and samples for tests of the inspector."""

from dataclasses import replace
from typing import Any

from factories import source

from bitext_pivot.core.records import FusedPair, JudgedPair, MarkedPair, SelectedPair
from bitext_pivot.corpus.inspector import page
from bitext_pivot.corpus.recipe import RowView
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.discourse.explicitation_records import (
    BackTranslatedPair,
    BackTranslation,
    ExplicitatedPair,
    NeighbourPair,
    RelationReading,
)
from bitext_pivot.discourse.recipes import explicitation
from bitext_pivot.discourse.recipes.discofuse import DISCOFUSE
from bitext_pivot.discourse.recipes.discovery import DISCOVERY

_SOURCE: dict[str, Any] = {"language": "en", "source": source("C", "a.txt")}
CONTRAST = "Comparison.Contrast"
FUSED = FusedPair(
    id="C/v1/en/a.txt:1", discourse_type="SINGLE_S_COORD", connective=", but", has_pronoun=False,
    text=("It rained , but we left .",), first="It rained .", second="We left .", positions=(1,), rejected_by=None,
    **_SOURCE,
)  # fmt: skip
DRAWN = SelectedPair(
    pair=MarkedPair(
        id="C/v1/en/a.txt:4-5", marker="in_fact,", found="list", first="The bus was late.", second="It never came.",
        original="In fact, it never came.", positions=(4, 5), rejected_by=None, **_SOURCE,
    ),
    rank=3, variants=("base",), rejected_by=None,
)  # fmt: skip
LABELLED = ExplicitatedPair(
    translated=BackTranslatedPair(
        neighbours=NeighbourPair(
            id="C/v1/en/a.txt:1-2", ids=("1", "2"), first="It rained.", second="We left.", renderings=(), **_SOURCE
        ),
        back=tuple(
            BackTranslation(language=language, texts=("It rained.", text), confidences=(), engine="echo")
            for language, text in (("fr", "We left."), ("de", "But we left."))
        ),
        rejected_by=None,
    ),
    readings=(RelationReading(language="de", connective="but", sense=CONTRAST, sense_pdtb2=CONTRAST),),
    senses={"2-votes": CONTRAST}, has_alternative=False, rejected_by=None,
)  # fmt: skip
UNTRANSLATED = replace(
    LABELLED,
    translated=replace(LABELLED.translated, back=()),
    readings=(),
    senses={},
    rejected_by="marked",
)
RECIPES: list[tuple[RowView, list[Any]]] = [
    (DISCOFUSE.view, [FUSED, replace(FUSED, id="b", connective="", rejected_by="no clause")]),
    (DISCOVERY.view, [DRAWN, replace(DRAWN, rank=None, rejected_by="rare marker")]),
    (explicitation.explicitation_recipe(["2-votes"]).view, [LABELLED, UNTRANSLATED]),
]
"""The views of the recipes over documents, and records, the first one kept."""

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "\"'`&quot;&lt;${title}$title",
    "one\u2028two\u2029three\x85four\x00",
    "\u202egnirts\u2066 \u200f",
    "lone \ud800 and \udfff",
    "𝔘𝔫𝔦 · العربية · 漢字 · ß",
]


def drawn(records: list[Any], limit: int, view: RowView = BISECT.view) -> page.InspectorSample:
    """Return the page's sample of some records, given the view of their recipe."""
    inspected = page.InspectorSample(view, limit)
    for record in records:
        inspected.add(record, view.row(record), record.rejected_by)
    return inspected


def replace_pair(judged: JudgedPair, **changes: Any) -> JudgedPair:
    parsed = judged.scored.parsed
    return replace(
        judged,
        scored=replace(judged.scored, parsed=replace(parsed, pair=replace(judged.pair, **changes))),
    )
