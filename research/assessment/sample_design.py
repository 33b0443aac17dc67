"""Draw pairs for assessment by annotators, in proportion to category and corpus, with hidden control items.

A control item is a pair that was broken on purpose: its second sentence comes from another pair. The page does not
mark control items; the report draws the same sample again to know which items they are. BiSECT's Mechanical Turk
script uses such items too.
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
"""Columns of the data set that are read."""
_Row = dict[str, Any]
Ask = Literal["errors", "quality", "rating"]
"""The question that annotators answer about each pair."""


class SampleDesign(Settings):
    """Size and seed of a sample, and the question to annotators.

    The design is saved with the answers, so that the sample can be drawn again.
    """

    pairs: int = Field(default=100, ge=1)
    """Number of pairs to assess."""
    controls: int = Field(default=10, ge=0)
    """Number of control items hidden among the pairs. They are broken on purpose, to check the annotators."""
    seed: int = 1
    """Seed of the sample; another seed draws other pairs."""
    ask: Ask = "errors"
    """Question to the annotators. `errors` asks for a verdict, the kind of error and a score; `quality` asks for a
    class of BiSECT's Table 3 and a score; `rating` asks for a score from 0 to 100 only."""

    def within(self, rows: int) -> Self:
        """Return the design, reduced if a data set of `rows` pairs is too small for it.

        A reduced design has at most one control item per twelve pairs.
        """
        if rows >= self.pairs + 2 * self.controls:
            return self
        controls = min(self.controls, rows // 12)
        return self.model_copy(
            update={"pairs": min(self.pairs, rows - 2 * controls), "controls": controls}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentItem:
    """One item of the annotation page: a pair to assess, or a broken pair (control item)."""

    pair: _Row
    is_control: bool


class _Pair(BaseModel):
    """The columns of a row to assess. Rows are checked, because a data set may come from others."""

    id: str
    language: str
    long: str
    split: list[str] = Field(min_length=2, max_length=2)
    category: str | None
    corpus: str | None


def _check_row(row: _Row) -> _Row:
    try:
        _Pair.model_validate(row)
    except ValidationError as error:
        problem = shown(next(refused_values.problems(error)))
        raise SettingsError(
            f"The data set has a row that is not a pair ({problem}). Build or download the data set again."
        ) from error
    return row


def sample(rows: Iterable[_Row], design: SampleDesign) -> list[AssessmentItem]:
    """Draw a sample of rows and return its items in the order of the annotation page.

    Each category of each corpus gets its share of `design.pairs`, rounded by largest remainders. Within a category,
    rows are drawn by a hash of the seed and their id, so the order of the rows does not matter. At most `design.pairs +
    2 * design.controls` rows per category and corpus are held in memory. A small data set gives a smaller sample.

    Raises SettingsError if there are no rows.
    """
    most = design.pairs + 2 * design.controls
    samples: dict[str, HashSample[_Row]] = {}
    for row in map(_check_row, rows):
        stratum = samples.setdefault(
            f"{row['category']} {row['corpus']}", HashSample(most, design.seed)
        )
        stratum.add(row["id"], lambda row=row: row)  # type: ignore[misc]
    counts = {name: samples[name].seen for name in sorted(samples)}
    if not counts:
        raise SettingsError(
            "The data set has no kept pairs, so there is nothing to assess. Build it with other thresholds or more "
            "bitext."
        )
    design = design.within(sum(counts.values()))
    # Each control item needs two pairs: the pair that is broken and the donor of its second sentence.
    spare = 2 * design.controls
    quotas = _quotas(counts, design.pairs)
    drawn = [row for name in counts for row in samples[name].values(quotas[name])]
    rest = heapq.merge(
        *(samples[name].ranked()[quotas[name] :] for name in counts), key=itemgetter(0)
    )
    further = [row for _, _, row in islice(rest, spare)]
    items = [AssessmentItem(pair=row, is_control=False) for row in drawn]
    for row, donor in zip(further[: design.controls], further[design.controls :], strict=True):
        broken = {**row, "split": [row["split"][0], donor["split"][1]]}
        items.append(AssessmentItem(pair=broken, is_control=True))
    Random(design.seed).shuffle(items)  # noqa: S311 (not a secret: the order only hides control items from view)
    return items


def fingerprint(items: Sequence[AssessmentItem]) -> str:
    """Return the SHA-256 of all texts of the items, in order."""
    texts = [[item.pair["long"], *item.pair["split"]] for item in items]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _quotas(counts: dict[str, int], size: int) -> dict[str, int]:
    """Divide `size` among the names in proportion to `counts`, rounded by largest remainders."""
    total = sum(counts.values())
    quotas = {stratum: size * count // total for stratum, count in counts.items()}
    by_remainder = sorted(counts, key=lambda stratum: (-(size * counts[stratum] % total), stratum))
    for stratum in by_remainder[: size - sum(quotas.values())]:
        quotas[stratum] += 1
    return quotas
