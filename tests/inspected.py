"""Pairs and samples for tests of the inspector."""

from dataclasses import replace

import numpy as np
from factories import row

from corpus.draw import Draw, digests
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
    """Return the sample of some pairs, whose texts may be such that no shard can store them."""
    kept, rejected = Draw(limit), Draw(limit)
    for position, pair in enumerate(pairs):
        (kept if pair.rejected_by is None else rejected).add(digests([pair.pair.id]), np.array([position]))
    sample = page.Sample(kept, rejected, limit)
    for position, pair in enumerate(pairs):
        safe = row(replace_pair(pair, long="a b c", split=("a", "b")))
        sample.add(position, safe | {"long": pair.pair.long, "split": [*pair.pair.split]}, pair.rejected_by)
    return sample


def replace_pair(pair: JudgedPair, **changes: object) -> JudgedPair:
    parsed = pair.scored.parsed
    return replace(pair, scored=replace(pair.scored, parsed=replace(parsed, pair=replace(pair.pair, **changes))))
