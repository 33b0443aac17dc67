"""Turn rows of data sets and files into the examples a network is trained and tested on.

Rows that a task cannot use are counted by reason.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from bitext_pivot.core.reading.row_files import (
    SEPARATORS,
    UnreadableRowError,
    require_text,
    without_separators,
)
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.corpus.division import SIMILARITY
from bitext_pivot.corpus.near_duplicates import TextIndex, TokenizedText, split_words
from bitext_pivot.research.models.hybrid import hybrid
from bitext_pivot.research.models.published_files import PublishedRow
from bitext_pivot.research.models.split_texts import joined
from bitext_pivot.research.models.training_settings import Task

ENTAILED, NOT_ENTAILED = "entailment", "not_entailment"
"""Classes of entailment. `not_entailment` is the class of rows that do not tell neutral from contradiction."""
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
"""Classes of entailment by their names in data sets. Numbers are not accepted, because data sets number the classes
differently."""
_PREMISES = (("premise", "hypothesis"), ("sentence1", "sentence2"), ("first", "second"))
"""Columns of premise and hypothesis in data sets; SNLI and MNLI have sentence1 and sentence2."""
Loss = Literal["plain", "targets", "adaptive"]
_EVERY = 50
"""If a file has no validation rows, one row in fifty is used for validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingExample:
    """The input of a network and the output it should learn."""

    id: str
    source: str
    """A text to rewrite, or the first sentence of a pair to classify."""
    second: str = ""
    """The second sentence of a pair to classify; empty for a text to rewrite."""
    target: str = ""
    """The rewritten text to learn, with `<SEP>` between its sentences."""
    reference: str = ""
    """The rewritten text as in the row, also if `target` was edited for the adaptive loss."""
    label: str = ""
    """The class to learn. For a sentence to split, BiSECT's category, if known."""
    group: str = ""
    """Discourse phenomenon of a fusion (`discourse_type`), for each of which scores are reported."""
    connective: str = ""
    """Connective in the text of a fusion; empty if there is none."""
    licence: str


class _SkipError(ValueError):
    """Raised if a row cannot be used; the message is the reason."""


def examples(
    rows: Iterable[PublishedRow],
    task: Task,
    skips: Counter[str],
    *,
    loss: Loss = "plain",
    licence: str = "unknown",
) -> Iterator[TrainingExample]:
    """Yield one example per usable row, and count unusable rows in `skips` by reason.

    If `loss` is not `plain`, targets equal the source except near the split (`hybrid.py`). `licence` applies to rows
    without one.
    """
    for row in rows:
        try:
            values = _CONVERT[task](row) if task != "split" else _split(row, loss)
            name = _id(row)
            values["licence"] = _text(row, "licence") or licence
        except (_SkipError, UnreadableRowError) as reason:
            skips[str(reason)] += 1
            continue
        yield TrainingExample(id=name, **values)


def _id(row: PublishedRow) -> str:
    name = row.get("id", "")
    if isinstance(name, list | tuple | dict):
        raise _SkipError("the id is not a string or a number")
    return require_text(str(name), "id")


def _split(row: PublishedRow, loss: Loss) -> dict[str, str]:
    if "text" in row:
        return _split_fusion(row)
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
    first, second = (squeezed(require_text(half, "a sentence of split")) for half in value)
    if not (_has_letter(first) and _has_letter(second)):
        raise _SkipError("not two sentences")
    return first, second


def _split_at(row: PublishedRow, long: str) -> int | None:
    """Return the split point of a row, an offset in `long`, or None if it is unknown.

    If normalising whitespace changed the sentence, the offset in the row no longer applies.
    """
    value = row.get("split_at")
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= len(row["long"]):
        raise _SkipError("split_at is not an offset in long")
    return value if row["long"] == long else None


def _split_fusion(row: PublishedRow) -> dict[str, str]:
    """Return the source and target that a DiscoFuse row gives for the task `split`.

    The source is the fused sentence. The target is the two sentences derived from it.
    """
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
    """Return the text of a DiscoFuse row as a list of one or two sentences."""
    value = row.get("text") or []
    values = value if isinstance(value, list | tuple) else [value]
    parts = (squeezed(require_text(part, "text")) for part in values if part is not None)
    return [part for part in parts if part]


def _classified(column: str) -> Callable[[PublishedRow], dict[str, str]]:
    def convert(row: PublishedRow) -> dict[str, str]:
        label = _text(row, column)
        if not label:
            raise _SkipError(f"no {column}")
        return {"source": _filled(row, "first"), "second": _filled(row, "second"), "label": label}

    return convert


def _entailment(row: PublishedRow) -> dict[str, str]:
    """Return premise, hypothesis and class of a row, whichever column names it uses."""
    columns = _PREMISES[0]
    for names in _PREMISES:
        if names[0] in row:
            columns = names
            break
    premise, hypothesis = (_filled(row, column) for column in columns)
    name = _text(row, "gold_label") or _text(row, "label")
    label = _ENTAILMENTS.get(name.lower())
    if label is None:
        raise _SkipError("no label of entailment")
    return {"source": premise, "second": hypothesis, "label": label}


def in_two_classes(examples: Iterable[TrainingExample]) -> list[TrainingExample]:
    """Merge the classes `neutral` and `contradiction` of examples into `not_entailment`."""
    merged = []
    for example in examples:
        if example.label != ENTAILED:
            example = replace(example, label=NOT_ENTAILED)
        merged.append(example)
    return merged


_CONVERT: dict[Task, Callable[[PublishedRow], dict[str, str]]] = {
    "fuse": _fuse,
    "markers": _classified("marker"),
    "relations": _classified("sense"),
    "entailment": _entailment,
}


def _filled(row: PublishedRow, column: str) -> str:
    value = row.get(column)
    sentence = squeezed(require_text(value, column)) if isinstance(value, str) else ""
    if not _has_letter(sentence):
        raise _SkipError(f"{column} without a letter")
    return sentence


def _text(row: PublishedRow, column: str) -> str:
    """Return an optional text of a row with normalised whitespace, or ""."""
    value = row.get(column)
    return "" if value is None else squeezed(require_text(value, column))


def _has_letter(sentence: str) -> bool:
    return any(map(str.isalpha, sentence))


def is_for_validation(example: TrainingExample) -> bool:
    """Return True for one example in fifty, drawn by a hash of its id."""
    return rank(example.id) % _EVERY == 0


class ExampleSubsets(NamedTuple):
    """Examples for training, validation and test."""

    train: list[TrainingExample]
    validation: list[TrainingExample]
    test: list[TrainingExample]


def held_out(tested: Iterable[str]) -> TextIndex:
    """Index the texts of test sets, so that `without_leaks` can find similar examples."""
    return TextIndex(SIMILARITY, ((_words(sentence), 0) for sentence in tested))


def without_leaks(
    train: Iterable[TrainingExample], tested: TextIndex, skips: Counter[str]
) -> list[TrainingExample]:
    """Return the examples without a duplicate or near-duplicate in a test set.

    The others are counted in `skips`. `tested` is the index that `held_out` returns.
    """
    kept = []
    for example in train:
        reason = _leak(example, tested)
        if reason:
            skips[reason] += 1
        else:
            kept.append(example)
    return kept


def _leak(example: TrainingExample, tested: TextIndex) -> str:
    """Return the reason why an example must not be used for training, or ""."""
    matches = [tested.find(_words(sentence)) for sentence in texts(example)]
    are_similar = [match[1] for match in matches if match]
    if not are_similar:
        return ""
    return "near-duplicate in a test set" if all(are_similar) else "in a test set"


def _words(sentence: str) -> TokenizedText:
    return TokenizedText(split_words(without_separators(sentence)))


def texts(example: TrainingExample) -> Sequence[str]:
    """Return the texts of an example that must not occur in a test set.

    A pair to classify counts as one text.
    """
    return (f"{example.source} {example.second}", example.target, example.reference)


def summary(parts: ExampleSubsets, skips: Counter[str]) -> dict[str, Any]:
    """Return counts for the model card: rows by subset and licence, and skips by reason."""
    return {
        "rows": {name: len(part) for name, part in parts._asdict().items()},
        "licences": dict(Counter(example.licence for example in parts.train).most_common()),
        "skips": dict(skips.most_common()),
    }
