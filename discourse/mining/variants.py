"""The variants of the data set (Discovery, section 2.4): which pairs each has."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from discourse.mining.candidates import rank

Variant = Literal["base", "hard", "big", "adv", "shuffled", "10"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
TEN = (
    "however", "hence,", "moreover", "additionally", "nevertheless", "furthermore", "alternatively", "again,", "next,",
    "therefore",
)  # fmt: skip
"""The markers of the variant 10, as Discovery released it."""


class Drawn(NamedTuple):
    """What is known of a pair when the variants are made: texts stay in the shards."""

    id: str
    document: str
    marker: str
    found: str
    rank: int
    """Of its own marker in the prediction by n-grams, from 1."""


def members(rows: Sequence[Drawn], *, per_marker: int, top: int, seed: int = 0) -> dict[Variant, list[Drawn]]:
    """Return the pairs of each variant, in the order of `rows`.

    - hard: pairs whose marker is not among the `top` predicted ones, `per_marker` each of markers with so many.
    - base: as many of the same markers, without regard to the prediction. shuffled: the same pairs.
    - big: up to twice as many. adv: base without the markers that the list alone knows. 10: ten markers, all pairs.
    """
    drawn = sorted(rows, key=lambda row: rank(row.id, seed))
    unpredicted = _first([row for row in drawn if row.rank > top], per_marker)
    full = {marker for marker, kept in unpredicted.items() if len(kept) == per_marker}
    same = [row for row in drawn if row.marker in full]
    known = {row.marker for row in rows if row.found == "list"}
    base = _flat(_first(same, per_marker))
    chosen: dict[Variant, list[Drawn]] = {
        "base": base,
        "hard": _flat({marker: unpredicted[marker] for marker in full}),
        "big": _flat(_first(same, 2 * per_marker)),
        "adv": [row for row in base if row.marker not in known],
        "shuffled": base,
        "10": [row for row in drawn if row.marker in TEN],
    }
    place = {row.id: n for n, row in enumerate(rows)}
    return {name: sorted(chosen[name], key=lambda row: place[row.id]) for name in VARIANTS}


def _first(rows: Sequence[Drawn], most: int) -> dict[str, list[Drawn]]:
    """Return the first rows of each marker."""
    found: dict[str, list[Drawn]] = {}
    for row in rows:
        kept = found.setdefault(row.marker, [])
        if len(kept) < most:
            kept.append(row)
    return found


def _flat(groups: Mapping[str, Sequence[Drawn]]) -> list[Drawn]:
    return [row for kept in groups.values() for row in kept]


def shuffled(rows: Sequence[Drawn], sets: Mapping[str, str], seed: int = 0) -> dict[str, str]:
    """Return for each identifier that of the pair which lends its second sentence: same marker, same set, another pair.

    A pair that is alone with its marker in its set keeps its own. `sets` has the set of each document.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.marker, sets[row.document]), []).append(row.id)
    lender: dict[str, str] = {}
    for ids in groups.values():
        order = sorted(ids, key=lambda id: rank(f"shuffled {id}", seed))
        lender |= dict(zip(order, [*order[1:], order[0]], strict=True))
    return lender
