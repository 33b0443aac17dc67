"""Compute the edit labels with which a model learns to split: windows, targets and labels.

Source: the BiSECT paper (EMNLP 2021, section 4) and the behaviour of its released code.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bitext_pivot.core.records import Category
from bitext_pivot.syntax.labelling.diffs import (
    Block,
    align_split,
    count_shared_start,
    is_closing_mark,
    is_word,
)

CLS, SEP, FILL = "[CLS]", "[SEP]", "[FILL]"
Tokenize = Callable[[str], list[str]]

_ANCHOR_RIGHT = (
    4  # copied tokens that end the window to the right of a split that only adds a full stop
)
_ANCHOR = 2  # copied tokens that end any other window
_PLAIN = 2  # inserted tokens up to and including the separator, if only `.` was added before it
_CLOSING = frozenset(")]}\"'”’»") | {"''"}


class EditWindow(NamedTuple):
    """The span of tokens in which the split differs from the long sentence.

    `old[old_start:old_end]` becomes `new[new_start:new_end]`, where `old` is the long sentence, and `new` is
    the first half, one separator and the second half.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditLabels:
    """A long sentence and its split, padded to equal length, with a label for each position.

    `delta` is 1 for a position that is edited and 0 for a position that is copied. `category` is the label for the
    part of the model that predicts the category: Changes Near Split becomes Changes Across Sentence if the
    separator is in the first or last block of the diff.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    delta: tuple[int, ...]
    category: Category


def find_edit_window(
    long: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> EditWindow | None:
    """Return the edit window of a Changes Near Split pair.

    Return None if the separator is in the first or last block of the diff. As in BiSECT's released code, a split
    that only adds one token before the separator keeps everything to the left of the separator, and the window
    extends to the next four copied tokens on the right. For any other split, the window extends to the next two
    copied tokens on either side. If the separator is alone in its block, the block is the whole window; the
    released code crashes in this case.
    """
    diff, index = align_split(long, first, second)
    block = diff[index]
    if index in {0, len(diff) - 1}:
        return None
    if block.length == 1:
        return EditWindow(block.old_start, block.old_end, block.new_start, block.new_end)
    if len(first) + 1 - block.new_start == _PLAIN:
        left = index - 1 if diff[index - 1].kind == "-" else index
        right = _anchor(diff, range(index + 1, len(diff)), _ANCHOR_RIGHT) - 1
    else:
        left = _anchor(diff, range(index - 1, -1, -1), _ANCHOR) + 1
        right = _anchor(diff, range(index + 1, len(diff)), _ANCHOR) - 1
    new_start = diff[left].new_start if left < index else block.new_start
    return EditWindow(diff[left].old_start, diff[right].old_end, new_start, diff[right].new_end)


def _anchor(diff: Sequence[Block], order: range, least: int) -> int:
    """Return the first block of a diff, in the given order, that copies at least `least` tokens.

    Return `order.stop` if there is none.
    """
    copied = (n for n in order if diff[n].kind == "=" and diff[n].length >= least)
    return next(copied, order.stop)


def _edit_in_window(
    window: EditWindow, long: Sequence[str], split: tuple[Sequence[str], Sequence[str]]
) -> tuple[list[str], list[str]]:
    """Return the halves that result if a long sentence is edited only inside its edit window."""
    first, second = split
    left = [*long[: window.old_start], *first[window.new_start :]]
    return left, [*second[: window.new_end - len(first) - 1], *long[window.old_end :]]


def direct_insertion_target(long: Sequence[str], at: int) -> tuple[list[str], list[str]]:
    """Return the halves of a sentence split before token `at`, the target of Direct Insertion.

    Punctuation before the split becomes a full stop, except a closing bracket or quotation mark. The first word of
    the second half is capitalised, also after `«` and `¿`; its other letters keep their case, while the released
    code changes them to lower case.
    """
    left, right = list(long[:at]), list(long[at:])
    while left and not is_word(left[-1]) and not _ends_in_closing_mark(left):
        left.pop()
    first = next((n for n, token in enumerate(right) if is_word(token)), 0)
    return [*left, "."], [
        token[:1].upper() + token[1:] if n == first else token for n, token in enumerate(right)
    ]


def _ends_in_closing_mark(left: Sequence[str]) -> bool:
    """Return True if a half of the split ends in a closing bracket or quotation mark."""
    position = len(left) - 1
    return left[position] in _CLOSING or is_closing_mark(left, position)


def edit_labels(
    long: Sequence[str],
    split: tuple[Sequence[str], Sequence[str]],
    category: Category,
    tokenize: Tokenize,
) -> EditLabels:
    """Return a pair as padded sequences of pieces, with an edit label for each piece.

    `tokenize` is any function from a text to tokens: `str.split`, `MosesTokenizer(...).tokenize` or the `tokenize`
    of a Hugging Face tokenizer. As in BiSECT's released code, each segment of the pair is tokenized on its own,
    with the space that precedes it in the sentence, because pieces of byte-level vocabularies include spaces.

    Pass `category_bisect` as `category`, because the adaptive loss in the paper was trained with the labels
    of the released code. Changes Near Split is copied outside of the window and edited inside; other
    categories are edited everywhere. For Direct Insertion, pass the result of `direct_insertion_target` as
    `split` to train as in the paper.
    """
    first, second = split
    window = find_edit_window(long, first, second) if category == "Changes Near Split" else None
    if window is None:
        changed: Category = (
            "Changes Across Sentence" if category == "Changes Near Split" else category
        )
        segment = _pad(
            _pieces(long, tokenize), _target_pieces(first, second, tokenize, follows_text=False)
        )
        return _wrap([segment], [1], 1, changed)
    source, left, right = _narrow_window(window, long, split)
    segments = [
        _pad(_pieces(source[0], tokenize), _pieces(first[:left], tokenize)),
        _pad(
            _pieces(source[1], tokenize, follows_text=bool(source[0])),
            _target_pieces(first[left:], second[:right], tokenize, follows_text=left > 0),
        ),
        _pad(
            _pieces(source[2], tokenize, follows_text=any(source[:2])),
            _pieces(second[right:], tokenize, follows_text=right > 0),
        ),
    ]
    return _wrap(segments, [0, 1, 0], 0, category)


def _narrow_window(
    window: EditWindow, long: Sequence[str], split: tuple[Sequence[str], Sequence[str]]
) -> tuple[tuple[Sequence[str], ...], int, int]:
    """Shrink an edit window to the tokens that differ.

    Return the long sentence in three segments, the index in the first half where the middle segment begins,
    and the index in the second half where it ends.
    """
    left, right = _edit_in_window(window, long, split)
    prefix = count_shared_start(long, left)
    suffix = count_shared_start(long[prefix:][::-1], right[::-1])
    end = len(long) - suffix
    segments = (long[:prefix], long[prefix:end], long[end:])
    # The tokens after a window are copied, so the middle may extend into them.
    return segments, len(split[0]) - (len(left) - prefix), len(right) - suffix


def _pieces(tokens: Sequence[str], tokenize: Tokenize, *, follows_text: bool = False) -> list[str]:
    """Return the pieces of a segment of a sentence, as `tokenize` splits it.

    They begin with a space if other segments precede this segment (`follows_text`).
    """
    return tokenize(" " * follows_text + " ".join(tokens)) if tokens else []


def _target_pieces(
    first: Sequence[str], second: Sequence[str], tokenize: Tokenize, *, follows_text: bool
) -> list[str]:
    return [*_pieces(first, tokenize, follows_text=follows_text), SEP, *_pieces(second, tokenize)]


def _pad(source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    missing = len(target) - len(source)
    return source + [FILL] * missing, target + [FILL] * -missing


def _wrap(
    segments: list[tuple[list[str], list[str]]],
    deltas: list[int],
    delta_of_ends: int,
    category: Category,
) -> EditLabels:
    source = [piece for segment in segments for piece in segment[0]]
    target = [piece for segment in segments for piece in segment[1]]
    delta = [delta for segment, delta in zip(segments, deltas, strict=True) for _ in segment[0]]
    return EditLabels(
        source=(CLS, *source, SEP),
        target=(CLS, *target, SEP),
        delta=(delta_of_ends, *delta, delta_of_ends),
        category=category,
    )
