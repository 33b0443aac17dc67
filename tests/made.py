"""Records that several tests make."""

import re

from pairs.records import Alignment, JudgedPair, Pair, Parse, ParsedPair, ScoredPair


def parse(text: str) -> Parse:
    """A flat parse: whitespace tokens, the first one the root."""
    found = list(re.finditer(r"\S+", text))
    tokens, starts = [match.group() for match in found], tuple(match.start() for match in found)
    size = len(tokens)
    return Parse(
        tokens=tuple(tokens), starts=starts, lemmas=tuple(tokens), tags=("X",) * size, pos=("X",) * size,
        morphs=("",) * size, deps=("root",) + ("dep",) * (size - 1), heads=(0,) * size, scheme="ud",
    )  # fmt: skip


def judged(number: int, long: str, first: str, second: str, rejected_by: str | None = None) -> JudgedPair:
    """A judged pair whose split falls before its third token."""
    alignment = Alignment(
        id=f"Everyday/v1/en-fr:{number}", corpus="Everyday", release="v1", licence="CC0-1.0", one_language="en",
        two_language="fr", one=long, two=("Un.", "Deux."), one_document="en/a.xml", two_document="fr/a.xml", one_id="4",
        two_ids=("5", "6"), attributes={},
    )  # fmt: skip
    pair = Pair(
        id=alignment.id, language="en", long=long, split=(first, second), pivot="fr", translated="split",
        engine="echo", alignment=alignment,
    )  # fmt: skip
    parsed = ParsedPair(pair=pair, long=parse(long), split=(parse(first), parse(second)))
    scored = ScoredPair(parsed=parsed, scores={"overlap": 0.51234567, "bertscore": 0.9})
    return JudgedPair(
        scored=scored, rejected_by=rejected_by, category="Direct Insertion", construction="other", split_at=2
    )
