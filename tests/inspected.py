"""Pairs and samples for tests of the inspector."""

from dataclasses import replace

from corpus.inspector import page
from pairs.records import JudgedPair

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


def drawn(pairs: list[JudgedPair], limit: int) -> page.Sample:
    sample = page.Sample(limit)
    for pair in pairs:
        sample.add(pair)
    return sample


def replace_pair(pair: JudgedPair, **changes: object) -> JudgedPair:
    parsed = pair.scored.parsed
    return replace(pair, scored=replace(pair.scored, parsed=replace(parsed, pair=replace(pair.pair, **changes))))
