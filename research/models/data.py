"""Examples to train and test on, out of rows of data sets and files: what is read, what is learned.

A row that a task cannot use is counted by reason.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from bitext_pivot.core.reading.row_files import (
    SEPARATORS,
    NoSentenceError,
    text,
    without_separators,
)
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.corpus.division import SIMILARITY
from bitext_pivot.corpus.near_duplicates import HeldOut, Text, words
from bitext_pivot.research.models.hybrid import hybrid
from bitext_pivot.research.models.published_files import PublishedRow
from bitext_pivot.research.models.split_texts import joined
from bitext_pivot.research.models.training_settings import Task

ENTAILED, NOT_ENTAILED = "entailment", "not_entailment"
"""Classes of entailment; the second is of rows that do not tell neutral from contradiction."""
_CLASSES = (ENTAILED, "neutral", "contradiction", NOT_ENTAILED)
_ENTAILMENTS = {
    **{name: name for name in _CLASSES},
    "e": ENTAILED,
    "n": "neutral",
    "c": "contradiction",
    "x": NOT_ENTAILED,
    "yes": ENTAILED,
    "no": NOT_ENTAILED,
}
"""Classes by how rows name them. Numbers are refused: data sets do not agree on them."""
_PREMISES = (("premise", "hypothesis"), ("sentence1", "sentence2"), ("first", "second"))
"""Columns of premise and hypothesis by data set; SNLI and MNLI have the second two."""
Loss = Literal["plain", "targets", "adaptive"]
_EVERY = 50
"""One row of so many of a file without a validation set is for validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingExample:
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
    connective: str = ""
    """Connective of a fusion; empty if it has none."""
    licence: str


class _SkipError(ValueError):
    """Why a row cannot be used."""


def examples(
    rows: Iterable[PublishedRow],
    task: Task,
    skips: Counter[str],
    *,
    loss: Loss = "plain",
    licence: str = "unknown",
) -> Iterator[TrainingExample]:
    """Yield the examples of rows; those that cannot be used are counted in `skips` by reason.

    `loss` is not `plain` for hybrid targets. `licence` is that of rows that name none.
    """
    for row in rows:
        try:
            values = _CONVERT[task](row) if task != "split" else _split(row, loss)
            name = _id(row)
            values["licence"] = _text(row, "licence") or licence
        except (_SkipError, NoSentenceError) as reason:
            skips[str(reason)] += 1
            continue
        yield TrainingExample(id=name, **values)


def _id(row: PublishedRow) -> str:
    name = row.get("id", "")
    if isinstance(name, list | tuple | dict):
        raise _SkipError("the id is no text or number")
    return text(str(name), "id")


def _split(row: PublishedRow, loss: Loss) -> dict[str, str]:
    if "text" in row:
        return _unfused(row)
    long, split = _filled(row, "long"), _halves(row.get("split"))
    category: Any = _text(row, "category_bisect")
    reference = joined(split)
    if loss != "plain" and category:
        split = hybrid(long, split, category, _split_at(row, long))
    return {
        "source": long,
        "target": joined(split),
        "reference": reference,
        "label": category,
    }


def _halves(value: object) -> tuple[str, str]:
    if isinstance(value, str):
        value = SEPARATORS.split(value)
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _SkipError("not two sentences")
    first, second = (squeezed(text(half, "a sentence of split")) for half in value)
    if not (_has_letter(first) and _has_letter(second)):
        raise _SkipError("not two sentences")
    return first, second


def _split_at(row: PublishedRow, long: str) -> int | None:
    """Return the position of the split in the sentence as it was squeezed; None if there is none."""
    value = row.get("split_at")
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= len(row["long"]):
        raise _SkipError("split_at is no position in long")
    return value if row["long"] == long else None


def _unfused(row: PublishedRow) -> dict[str, str]:
    """Return a fused sentence and its two sentences as a pair to split."""
    fused = _fused(row)
    if len(fused) != 1:
        raise _SkipError("a text of two sentences" if fused else "no text")
    target = joined([_filled(row, "first"), _filled(row, "second")])
    return {"source": fused[0], "target": target}


def _fuse(row: PublishedRow) -> dict[str, str]:
    target = " ".join(_fused(row))
    source = f"{_filled(row, 'first')} {_filled(row, 'second')}"
    if not _has_letter(target):
        raise _SkipError("no text")
    group, connective = _text(row, "discourse_type"), _text(row, "connective")
    return {"source": source, "target": target, "group": group, "connective": connective}


def _fused(row: PublishedRow) -> list[str]:
    """Return the one or two texts of a fusion."""
    value = row.get("text") or []
    values = value if isinstance(value, list | tuple) else [value]
    parts = (squeezed(text(part, "text")) for part in values if part is not None)
    return [part for part in parts if part]


def _classified(column: str) -> Callable[[PublishedRow], dict[str, str]]:
    def convert(row: PublishedRow) -> dict[str, str]:
        label = _text(row, column)
        if not label:
            raise _SkipError(f"no {column}")
        return {"source": _filled(row, "first"), "second": _filled(row, "second"), "label": label}

    return convert


def _entailment(row: PublishedRow) -> dict[str, str]:
    """Return a premise, a hypothesis and a class, under the names that data sets use."""
    columns = _PREMISES[0]
    for names in _PREMISES:
        if names[0] in row:
            columns = names
            break
    premise, hypothesis = (_filled(row, column) for column in columns)
    given = _text(row, "gold_label") or _text(row, "label")
    label = _ENTAILMENTS.get(given.lower())
    if label is None:
        raise _SkipError("no label of entailment")
    return {"source": premise, "second": hypothesis, "label": label}


def in_two_classes(examples: Iterable[TrainingExample]) -> list[TrainingExample]:
    """Return examples of entailment whose classes say only whether the hypothesis follows."""
    found = []
    for example in examples:
        if example.label != ENTAILED:
            example = replace(example, label=NOT_ENTAILED)
        found.append(example)
    return found


_CONVERT: dict[Task, Callable[[PublishedRow], dict[str, str]]] = {
    "fuse": _fuse,
    "markers": _classified("marker"),
    "relations": _classified("sense"),
    "entailment": _entailment,
}


def _filled(row: PublishedRow, column: str) -> str:
    value = row.get(column)
    sentence = squeezed(text(value, column)) if isinstance(value, str) else ""
    if not _has_letter(sentence):
        raise _SkipError(f"{column} without a letter")
    return sentence


def _text(row: PublishedRow, column: str) -> str:
    """Return a text that a row may lack, squeezed; "" without one."""
    value = row.get(column)
    return "" if value is None else squeezed(text(value, column))


def _has_letter(sentence: str) -> bool:
    return any(map(str.isalpha, sentence))


def for_validation(example: TrainingExample) -> bool:
    """Return True for the examples of a file that are for validation, drawn by their ids."""
    return rank(example.id) % _EVERY == 0


class ExampleSubsets(NamedTuple):
    """The examples of a training by what they are for."""

    train: list[TrainingExample]
    validation: list[TrainingExample]
    test: list[TrainingExample]


def held_out(tested: Iterable[str]) -> HeldOut:
    """Return the texts of test sets as `without_leaks` needs them: those of a data set are compared in the same way."""
    return HeldOut(SIMILARITY, ((_words(sentence), 0) for sentence in tested))


def without_leaks(
    train: Iterable[TrainingExample], tested: HeldOut, skips: Counter[str]
) -> list[TrainingExample]:
    """Return the examples none of whose texts is in a test set, or nearly the same as one there; count the others."""
    kept = []
    for example in train:
        reason = _leak(example, tested)
        if reason:
            skips[reason] += 1
        else:
            kept.append(example)
    return kept


def _leak(example: TrainingExample, tested: HeldOut) -> str:
    """Return why an example may not be trained on, "" if it may."""
    matches = [tested.find(_words(sentence)) for sentence in texts(example)]
    are_similar = [match[1] for match in matches if match]
    if not are_similar:
        return ""
    return "near-duplicate in a test set" if all(are_similar) else "in a test set"


def _words(sentence: str) -> Text:
    return Text(words(without_separators(sentence)))


def texts(example: TrainingExample) -> Sequence[str]:
    """Return the texts of an example that must not be in a test set; a pair counts as one."""
    return (f"{example.source} {example.second}", example.target, example.reference)


def summary(parts: ExampleSubsets, skips: Counter[str]) -> dict[str, Any]:
    """Return what the card says of the data: rows by set, by licence, and those left out by reason."""
    return {
        "rows": {name: len(part) for name, part in parts._asdict().items()},
        "licences": dict(Counter(example.licence for example in parts.train).most_common()),
        "skips": dict(skips.most_common()),
    }
