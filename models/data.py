"""Examples to train and test on, out of rows of data sets and files: what is read, what is learned.

A row that a task cannot use is counted by reason.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from bitext_pivot.core.pair_files import SEPARATOR
from bitext_pivot.core.sampling import rank
from bitext_pivot.models.files import Row
from bitext_pivot.models.hybrid import hybrid
from bitext_pivot.models.settings import Task

Loss = Literal["plain", "targets", "adaptive"]
_EVERY = 50
"""One row of so many of a file without a validation set is for validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What a network reads and what it should give."""

    id: str
    source: str
    """A text to rewrite, or the first sentence of a pair to classify."""
    second: str = ""
    """The second sentence of the pair."""
    target: str = ""
    """The rewritten text; `<SEP>` between its sentences."""
    reference: str = ""
    """The text of the row, where `target` is an edited one."""
    label: str = ""
    """The class. Of a pair to split, BiSECT's category if it has one."""
    group: str = ""
    """Type of a fusion, by which it is reported."""
    licence: str


class _SkipError(ValueError):
    """Why a row cannot be used."""


def examples(
    rows: Iterable[Row], task: Task, skips: Counter[str], *, loss: Loss = "plain", licence: str = "unknown"
) -> Iterator[Example]:
    """Yield the examples of rows; those that cannot be used are counted in `skips` by reason.

    `loss` is not `plain` for hybrid targets. `licence` is that of rows that name none.
    """
    for row in rows:
        try:
            values = _CONVERT[task](row) if task != "split" else _split(row, loss)
        except _SkipError as reason:
            skips[str(reason)] += 1
            continue
        yield Example(id=str(row.get("id", "")), licence=row.get("licence") or licence, **values)


def _split(row: Row, loss: Loss) -> dict[str, str]:
    if "text" in row:
        return _unfused(row)
    long, split = _filled(row, "long"), row.get("split")
    if not isinstance(split, list | tuple) or len(split) != 2 or not all(map(_has_letter, split)):
        raise _SkipError("not two sentences")
    category: Any = row.get("category_bisect") or ""
    reference = f" {SEPARATOR} ".join(split)
    if loss != "plain" and category:
        split = hybrid(long, (split[0], split[1]), category, row.get("split_at"))
    return {"source": long, "target": f" {SEPARATOR} ".join(split), "reference": reference, "label": category}


def _unfused(row: Row) -> dict[str, str]:
    """Return a fused sentence and its two sentences as a pair to split."""
    text = [part for part in row["text"] if part]
    if len(text) != 1:
        raise _SkipError("a text of two sentences")
    target = f" {SEPARATOR} ".join((_filled(row, "first"), _filled(row, "second")))
    return {"source": text[0], "target": target}


def _fuse(row: Row) -> dict[str, str]:
    text = row.get("text") or ""
    target = text if isinstance(text, str) else " ".join(filter(None, text))
    source = f"{_filled(row, 'first')} {_filled(row, 'second')}"
    if not _has_letter(target):
        raise _SkipError("no text")
    return {"source": source, "target": target, "group": row.get("discourse_type") or ""}


def _classified(column: str) -> Callable[[Row], dict[str, str]]:
    def convert(row: Row) -> dict[str, str]:
        if not row.get(column):
            raise _SkipError(f"no {column}")
        return {"source": _filled(row, "first"), "second": _filled(row, "second"), "label": row[column]}

    return convert


_CONVERT: dict[Task, Callable[[Row], dict[str, str]]] = {
    "fuse": _fuse,
    "markers": _classified("marker"),
    "relations": _classified("sense"),
}


def _filled(row: Row, column: str) -> str:
    text = row.get(column)
    if not isinstance(text, str) or not _has_letter(text):
        raise _SkipError(f"{column} without a letter")
    return text


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def for_validation(example: Example) -> bool:
    """Return True for the examples of a file that are for validation, drawn by their ids."""
    return rank(example.id) % _EVERY == 0


class Parts(NamedTuple):
    """The examples of a training by what they are for."""

    train: list[Example]
    validation: list[Example]
    test: list[Example]


def without_leaks(train: Iterable[Example], tested: Iterable[str], skips: Counter[str]) -> list[Example]:
    """Return the examples none of whose texts is among those of a test set, by letters and digits; count the others."""
    seen = {normal(text) for text in tested} - {""}
    kept = []
    for example in train:
        if {normal(text) for text in texts(example)} & seen:
            skips["in a test set"] += 1
        else:
            kept.append(example)
    return kept


def texts(example: Example) -> Sequence[str]:
    """Return the texts of an example that must not be in a test set; a pair counts as one."""
    return (f"{example.source} {example.second}", example.target, example.reference)


def normal(text: str) -> str:
    """Return the letters and digits of a text in lower case, without separators."""
    return "".join(filter(str.isalnum, text.replace(SEPARATOR, " ").lower()))


def summary(parts: Parts, skips: Counter[str]) -> dict[str, Any]:
    """Return what the card says of the data: rows by set, by licence, and those left out by reason."""
    return {
        "rows": {name: len(part) for name, part in parts._asdict().items()},
        "licences": dict(Counter(example.licence for example in parts.train).most_common()),
        "skips": dict(skips.most_common()),
    }
