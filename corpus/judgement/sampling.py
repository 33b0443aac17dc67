"""Draw pairs for assessment, in proportion to category and corpus, with control items hidden among them.

A control item is broken on purpose: its second sentence is that of another pair. Nothing on the page distinguishes it
from others; the report draws the sample again to know which items they were (BiSECT's Mechanical Turk script has such
items too).
"""

import hashlib
import heapq
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from pydantic import Field

from pairs.errors import SettingsError
from pairs.settings import Settings

_Row = dict[str, Any]
_Entry = tuple[int, int, _Row]
"""Digest, position in the data set, row."""


class Design(Settings):
    """What is drawn; it is saved with the answers, so that the same sample can be drawn again."""

    pairs: int = Field(default=100, ge=1, description="Pairs to assess.")
    controls: int = Field(
        default=10, ge=0, description="Control items hidden among them: pairs broken on purpose, to check annotators."
    )
    seed: int = Field(default=1, description="Another seed draws other pairs.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One pair to assess."""

    pair: _Row
    is_control: bool


def draw(rows: Iterable[_Row], design: Design) -> list[Item]:
    """Return the items of a sample in the order of the page.

    Each category of each corpus has its share of `design.pairs` (largest remainders). Within it, pairs with the
    smallest digests of seed and id are drawn, so the order of the rows does not matter. Memory holds `design.pairs`
    rows per category and corpus. Raises SettingsError if there are too few rows.
    """
    spare = 2 * design.controls  # a control item, and the pair that its second sentence is taken from
    counts, heaps = _smallest(rows, design.pairs + spare, design.seed)
    total = sum(counts.values())
    if total < design.pairs + spare:
        raise SettingsError(
            f"The data set has {total:,} kept pairs; {design.pairs} pairs with {design.controls} control items need "
            f"{design.pairs + spare}. Choose fewer with --pairs or --controls."
        )
    quotas = _quotas(counts, design.pairs)
    drawn = [row for stratum, heap in heaps.items() for _, _, row in heap[: quotas[stratum]]]
    rest = heapq.merge(*(heap[quotas[stratum] :] for stratum, heap in heaps.items()))
    further = [row for _, _, row in islice(rest, spare)]
    items = [Item(pair=row, is_control=False) for row in drawn]
    for row, donor in zip(further[: design.controls], further[design.controls :], strict=True):
        broken = {**row, "split": [row["split"][0], donor["split"][1]]}
        items.append(Item(pair=broken, is_control=True))
    Random(design.seed).shuffle(items)  # noqa: S311 (no secret: control items are only not to be seen at a glance)
    return items


def fingerprint(items: Sequence[Item]) -> str:
    """Return the SHA-256 of all texts of a sample, in their order."""
    texts = [[item.pair["long"], *item.pair["split"]] for item in items]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _smallest(rows: Iterable[_Row], size: int, seed: int) -> tuple[dict[str, int], dict[str, list[_Entry]]]:
    """Return for each category and corpus how many rows it has, and up to `size` with the smallest digests, sorted."""
    counts: dict[str, int] = {}
    heaps: dict[str, list[_Entry]] = {}
    for position, row in enumerate(rows):
        stratum = f"{row['category']} {row['corpus']}"
        counts[stratum] = counts.get(stratum, 0) + 1
        heap = heaps.setdefault(stratum, [])
        entry = (-_digest(seed, row["id"]), -position, row)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        elif entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)
    return counts, {
        stratum: sorted((-digest, -position, row) for digest, position, row in heaps[stratum])
        for stratum in sorted(heaps)
    }


def _quotas(counts: dict[str, int], size: int) -> dict[str, int]:
    """Share out `size` in proportion to `counts`; what is left goes to the largest remainders."""
    total = sum(counts.values())
    quotas = {stratum: size * count // total for stratum, count in counts.items()}
    by_remainder = sorted(counts, key=lambda stratum: (-(size * counts[stratum] % total), stratum))
    for stratum in by_remainder[: size - sum(quotas.values())]:
        quotas[stratum] += 1
    return quotas


def _digest(seed: int, id_: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {id_}".encode("utf-8", "surrogatepass")).digest()[:8], "big")
