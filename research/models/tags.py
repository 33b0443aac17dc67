"""Splitting and fusing by one label per word: keep or delete it, and a phrase before it.

Source: LaserTagger (Malmi et al., EMNLP 2019). The differences are difflib's from the target to the source, in lower
case, whose blocks are those of simplediff.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

import numpy as np

from bitext_pivot.core.reading.row_files import SEPARATOR
from bitext_pivot.research.models.texts import divided, finished, is_spaced, joined, words

CUT = f". {SEPARATOR}"
"""What is left of an unknown phrase that holds the separator, at least."""
_BEFORE_MARK = re.compile(r" (?=[.,;:!?…])")
_MOST = 3  # words behind a separator that are left of an unknown phrase


class Label(NamedTuple):
    """What becomes of a word: whether it stays, and the words to put before it, joined by spaces."""

    keeps: bool
    phrase: str

    @property
    def name(self) -> str:
        """The label as a string, such as `delete . <SEP>`."""
        return f"{'keep' if self.keeps else 'delete'} {self.phrase}".rstrip()

    @classmethod
    def of(cls, name: str) -> "Label":
        """Return the label of a name."""
        word, _, phrase = name.partition(" ")
        return cls(word == "keep", phrase)

    @property
    def splits(self) -> bool:
        """True if a sentence ends before the word."""
        return SEPARATOR in self.phrase


def labels(source: Sequence[str], target: Sequence[str]) -> list[Label]:
    """Return the labels that make `target` of `source`, both as words: one per word, and one for the end."""
    matcher = SequenceMatcher(
        None, [word.lower() for word in target], [word.lower() for word in source], False
    )
    keeps, phrases = [False] * len(source), [""] * (len(source) + 1)
    for kind, target_start, target_end, source_start, source_end in matcher.get_opcodes():
        if kind == "equal":
            keeps[source_start:source_end] = [True] * (source_end - source_start)
        elif target_end > target_start:
            phrases[source_start] = " ".join(target[target_start:target_end])
    return [Label(*label) for label in zip([*keeps, True], phrases, strict=True)]


def beginnings(label: Label) -> list[Label]:
    """Return a label and the shorter ones that may stand for it, the longest first.

    Of a phrase that splits these are `. <SEP>` and up to three words that follow; of any other phrase none is left.
    """
    if not label.phrase:
        return [label]
    _, separator, rest = label.phrase.partition(SEPARATOR)
    words = rest.split()
    phrases = (
        [" ".join([CUT, *words[:size]]) for size in range(min(_MOST, len(words)), -1, -1)]
        if separator
        else [""]
    )
    return list(dict.fromkeys([label, *(Label(label.keeps, phrase) for phrase in phrases)]))


def vocabulary(rows: Iterable[Sequence[Label]], size: int) -> list[Label]:
    """Return at most `size` labels: keep, delete, both with `. <SEP>` if any row splits, then those seen twice or more.

    The most frequent ones come first. A label also counts for its `beginnings`.
    """
    counts = Counter(part for row in rows for label in row for part in beginnings(label))
    splits = any(label.splits for label in counts)
    base = [Label(keeps, phrase) for phrase in ("", CUT)[: 1 + splits] for keeps in (True, False)]
    others = (label for label in counts if counts[label] > 1 and label not in base)
    return [*base, *sorted(others, key=lambda label: (-counts[label], label))][:size]


def known(label: Label, vocabulary: Collection[Label]) -> Label:
    """Return the longest of the `beginnings` of a label that a vocabulary has; keep or delete if it has none."""
    return next((part for part in beginnings(label) if part in vocabulary), Label(label.keeps, ""))


def text(source: str, labels: Sequence[Label]) -> str:
    """Return the text that labels make of a source: one per word, the last one for the end of the text.

    Kept words have their own spacing. Words without a label are kept. Each sentence begins with a capital and ends in
    one final mark. A text of which no word would be left stays as it is.
    """
    tokens, is_apart = words(source), is_spaced(source)
    rest = [Label(True, "")] * (len(tokens) + 1 - len(labels))
    parts, start = "", 0
    for token, label in zip([*tokens, None], [*labels, *rest], strict=True):
        parts += _spaced(label.phrase, is_apart)
        if token is not None:
            gap = source[start : token.start()]
            is_glued = bool(label.phrase) and token[0][0].isalnum()
            parts += (gap or " " * is_glued) + token[0] if label.keeps else " " * bool(gap)
            start = token.end()
    sentences = (" ".join(sentence.split()) for sentence in divided(parts))
    return joined([finished(sentence, is_spaced=is_apart) for sentence in sentences]) or source


def _spaced(phrase: str, is_apart: bool) -> str:
    """Return a phrase with the space before it; punctuation has one before it in tokenised text only."""
    spaced = f" {phrase}" if phrase else ""
    return spaced if is_apart else _BEFORE_MARK.sub("", spaced)


def decode(logits: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", labels: Sequence[Label],
           splits: Literal["one", "any"]) -> list[Label]:  # fmt: skip
    """Return a label per word, given logits of shape (words, labels).

    `any`: the best label. `one`: the word, neither the first nor the last, with the largest difference between its
    best label with a separator and its best one without is split; the others take their best one without.
    """
    if splits == "any":
        return [labels[number] for number in logits.argmax(axis=1)]
    separating = np.array([label.splits for label in labels])
    without, within = np.where(separating, -np.inf, logits), np.where(separating, logits, -np.inf)
    best = without.argmax(axis=1)
    if separating.any() and len(logits) > 2:
        place = 1 + int((within.max(axis=1) - without.max(axis=1))[1:-1].argmax())
        best[place] = within[place].argmax()
    return [labels[number] for number in best]
