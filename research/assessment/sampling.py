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
from operator import itemgetter
from random import Random
from typing import Any, Literal, Self

from pydantic import BaseModel, Field, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.sampling import HashSample
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.untrusted import shown

COLUMNS = ("id", "language", "long", "split", "category", "corpus")
"""Columns of the pairs to assess."""
_Row = dict[str, Any]
Ask = Literal["errors", "quality", "rating"]
"""What annotators are asked."""


class Design(Settings):
    """What is drawn; it is saved with the answers, so that the same sample can be drawn again."""

    pairs: int = Field(default=100, ge=1)
    """Pairs to assess."""
    controls: int = Field(default=10, ge=0)
    """Control items hidden among them: pairs broken on purpose, to check annotators."""
    seed: int = 1
    """Another seed draws other pairs."""
    ask: Ask = "errors"
    """`errors`: a verdict, the kind of error and a number; `quality`: the classes of BiSECT's Table 3 and a number;
    `rating`: a number from 0 to 100 alone."""

    def within(self, rows: int) -> Self:
        """Return a design for a data set of `rows` pairs: a smaller one has a control item per twelve of them."""
        if rows >= self.pairs + 2 * self.controls:
            return self
        controls = min(self.controls, rows // 12)
        return self.model_copy(
            update={"pairs": min(self.pairs, rows - 2 * controls), "controls": controls}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One pair to assess."""

    pair: _Row
    is_control: bool


class _Pair(BaseModel):
    """The columns of a row that are read; a data set may be anybody's."""

    id: str
    language: str
    long: str
    split: list[str] = Field(min_length=2, max_length=2)
    category: str | None
    corpus: str | None


def _checked(row: _Row) -> _Row:
    try:
        _Pair.model_validate(row)
    except ValidationError as error:
        problem = shown(next(refused_values.problems(error)))
        raise SettingsError(
            f"The data set has a row that is no pair ({problem}). Build or download it again."
        ) from error
    return row


def sample(rows: Iterable[_Row], design: Design) -> list[Question]:
    """Return the items of a sample in the order of the page.

    Each category of each corpus has its share of `design.pairs` (largest remainders). Within it, the ids decide, with
    the seed, so the order of the rows does not matter. Memory holds `design.pairs` rows per category and corpus.
    A data set with too few rows gives fewer of them. Raises SettingsError if there are none.
    """
    most = design.pairs + 2 * design.controls
    samples: dict[str, HashSample[_Row]] = {}
    for row in map(_checked, rows):
        stratum = samples.setdefault(
            f"{row['category']} {row['corpus']}", HashSample(most, design.seed)
        )
        stratum.add(row["id"], lambda row=row: row)  # type: ignore[misc]
    counts = {name: samples[name].seen for name in sorted(samples)}
    if not counts:
        raise SettingsError(
            "The data set has no kept pairs. Build one with some, or with other thresholds."
        )
    design = design.within(sum(counts.values()))
    spare = (
        2 * design.controls
    )  # a control item, and the pair that its second sentence is taken from
    quotas = _quotas(counts, design.pairs)
    drawn = [row for name in counts for row in samples[name].values(quotas[name])]
    rest = heapq.merge(
        *(samples[name].ranked()[quotas[name] :] for name in counts), key=itemgetter(0)
    )
    further = [row for _, _, row in islice(rest, spare)]
    items = [Question(pair=row, is_control=False) for row in drawn]
    for row, donor in zip(further[: design.controls], further[design.controls :], strict=True):
        broken = {**row, "split": [row["split"][0], donor["split"][1]]}
        items.append(Question(pair=broken, is_control=True))
    Random(design.seed).shuffle(items)  # noqa: S311 (no secret: control items are only not to be seen at a glance)
    return items


def fingerprint(items: Sequence[Question]) -> str:
    """Return the SHA-256 of all texts of a sample, in their order."""
    texts = [[item.pair["long"], *item.pair["split"]] for item in items]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _quotas(counts: dict[str, int], size: int) -> dict[str, int]:
    """Share out `size` in proportion to `counts`; what is left goes to the largest remainders."""
    total = sum(counts.values())
    quotas = {stratum: size * count // total for stratum, count in counts.items()}
    by_remainder = sorted(counts, key=lambda stratum: (-(size * counts[stratum] % total), stratum))
    for stratum in by_remainder[: size - sum(quotas.values())]:
        quotas[stratum] += 1
    return quotas
