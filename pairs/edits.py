"""What an edit from a long sentence to its split changes: diff blocks, the split's place, labels for a splitting model.

Everything here is a pure function of tokens; a token is any string, so whitespace, Moses and parser tokens all do.
Source: the BiSECT paper (EMNLP 2021, section 4) and the behaviour of its released code.
"""

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, takewhile
from typing import Literal, NamedTuple

from pairs.records import Category

CLS, SEP, FILL = "[CLS]", "[SEP]", "[FILL]"
Tokenize = Callable[[str], list[str]]

_BOUNDARY = object()  # stands between the halves: equal to no token, whatever the text contains
_ANCHOR_RIGHT = 4  # copied tokens that end a window right of a split that only added a full stop
_STEM = 6  # letters by which inflected and differently spelt forms are taken for one word
_LONG_WORD = 4  # letters; shorter words stand everywhere and tell no side
_OPENING = frozenset("([{\"'“‘«„¿¡`") | {"``"}
_CLOSING = frozenset(")]}\"'”’»") | {"''"}
_STRONG = frozenset(";:")
_ANCHOR = 2  # copied tokens that end any other window
_SYMMETRIC = 2  # tokens left of the separator, itself included, in the block of a plain `. <SEP>`


class Block(NamedTuple):
    """A run of tokens that is kept (`=`), only in the old sequence (`-`) or only in the new one (`+`)."""

    kind: Literal["=", "-", "+"]
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def length(self) -> int:
        """How many tokens the run has, counted in the new sequence unless it is a deletion."""
        return self.old_end - self.old_start if self.kind == "-" else self.new_end - self.new_start


class Window(NamedTuple):
    """The only place where a pair is edited: `old[old_start:old_end]` becomes `new[new_start:new_end]`.

    `new` is the first half, one separator, the second half.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditLabels:
    """A pair padded to equal length, and for each position whether a model should edit there.

    `source`, `target` and `delta` have one entry a position; delta is 0 where the source is copied and 1 where it is
    edited. `category` is what the splitter's class head should learn: Changes Near Split becomes Changes Across
    Sentence where the separator lies in the first or last block of the diff.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    delta: tuple[int, ...]
    category: Category


def blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Block]:
    """Return the diff: the longest common run, earliest in `new` then in `old`, and the same on both sides of it.

    A deletion precedes the insertion that replaces it. The blocks are those of simplediff 1.1, which BiSECT used;
    difflib prefers what is earliest in its *first* argument, so that has to be `new`.
    """
    found = []
    for tag, new_start, new_end, old_start, old_end in SequenceMatcher(None, new, old, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Block("=", old_start, old_end, new_start, new_end))
            continue
        if old_end > old_start:
            found.append(Block("-", old_start, old_end, new_start, new_start))
        if new_end > new_start:
            found.append(Block("+", old_end, old_end, new_start, new_end))
    return found


def split_position(long: Sequence[str], first: Sequence[str], second: Sequence[str]) -> int:
    """Return the index of the token of `long` before which the split falls, from 0 to `len(long)`.

    It is the place that most words vote for: each word the diff keeps, and each longer word (by its first letters)
    that only one of the halves has, wants to be on its half's side; the diff alone, which aligns the separator, goes
    astray in paraphrases. Among equal places those nearest to the separator of the diff count; there the split
    falls after a semicolon or colon, else where the new words that nothing in `long` answers to divide the run.
    A mark at the split itself stays on the left.
    """
    old, one, two = ([token.lower() for token in tokens] for tokens in (long, first, second))
    found, here = _diff(old, one, two)
    run = _nearest_run(_most_votes(_votes(old, one, two, found)), found[here].old_start)
    position = _divide(run, old, one, two)
    while 0 < position < len(old) and not _is_word(old[position]) and old[position] not in _OPENING:
        position += 1
    return position


def _votes(long: Sequence[str], first: Sequence[str], second: Sequence[str], found: Sequence[Block]) -> list[int]:
    """Return for each token of `long` how much it belongs to the first half (positive) or the second (negative)."""
    stems = [{token[:_STEM] for token in half if len(token) >= _LONG_WORD} for half in (first, second)]
    only_first, only_second = stems[0] - stems[1], stems[1] - stems[0]
    votes = [(token[:_STEM] in only_first) - (token[:_STEM] in only_second) for token in long]
    for block in found:
        if block.kind == "=":
            side = 1 if block.new_end <= len(first) else -1
            for place in range(block.old_start, block.old_end):
                votes[place] += side * _is_word(long[place])
    return votes


def _most_votes(votes: Sequence[int]) -> list[int]:
    """Return the places that leave most votes on their own side."""
    totals = [0, *accumulate(votes)]
    most = max(totals)
    return [place for place, total in enumerate(totals) if total == most]


def _nearest_run(places: Sequence[int], aim: int) -> range:
    """Return the run of neighbouring places that holds the one nearest to `aim`."""
    middle = min(places, key=lambda place: abs(place - aim))
    members = set(places)
    start = next(place for place in range(middle, -2, -1) if place - 1 not in members)
    end = next(place for place in range(middle, max(places) + 1) if place + 1 not in members)
    return range(start, end + 1)


def _divide(run: range, long: Sequence[str], first: Sequence[str], second: Sequence[str]) -> int:
    """Return the place in the run after its first `;` or `:`, else where the halves' new words divide it."""
    for place in run:
        if place and long[place - 1] in _STRONG:
            return place
    stems = {token[:_STEM] for token in long}
    before = _new_words(reversed(first), stems)
    after = _new_words(second, stems)
    return run.start + round((len(run) - 1) * before / max(1, before + after))


def _new_words(tokens: Iterable[str], known: Container[str]) -> int:
    """Count the words up to the first that is known."""
    words = filter(_is_word, tokens)
    return sum(1 for _ in takewhile(lambda token: token[:_STEM] not in known, words))


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))


def _diff(long: Sequence[str], first: Sequence[str], second: Sequence[str]) -> tuple[list[Block], int]:
    """Return the blocks from `long` to both halves, and which of them holds the separator."""
    found = blocks(long, [*first, _BOUNDARY, *second])
    separator = len(first)
    here = next(n for n, block in enumerate(found) if block.kind == "+" and separator < block.new_end)
    return found, here


def edit_window(long: Sequence[str], first: Sequence[str], second: Sequence[str]) -> Window | None:
    """Return where a Changes Near Split pair is edited; None when the separator is in the first or last block.

    As the released code does it: a split that only adds one token before the separator keeps everything left of it
    and is edited up to the next four copied tokens; any other split up to the next two copied tokens on either side.
    A block that is the separator alone (the original crashes on it) is a window of its own.
    """
    found, here = _diff(long, first, second)
    block = found[here]
    if here in {0, len(found) - 1}:
        return None
    if block.length == 1:
        return Window(block.old_start, block.old_end, block.new_start, block.new_end)
    if len(first) + 1 - block.new_start == _SYMMETRIC:
        left = here - 1 if found[here - 1].kind == "-" else here
        right = _anchor(found, range(here + 1, len(found)), _ANCHOR_RIGHT) - 1
    else:
        left = _anchor(found, range(here - 1, -1, -1), _ANCHOR) + 1
        right = _anchor(found, range(here + 1, len(found)), _ANCHOR) - 1
    new_start = found[left].new_start if left < here else block.new_start
    return Window(found[left].old_start, found[right].old_end, new_start, found[right].new_end)


def _anchor(found: Sequence[Block], order: range, least: int) -> int:
    """Return the first block in this order that is copied and long enough, or the place just past the end."""
    copied = (n for n in order if found[n].kind == "=" and found[n].length >= least)
    return next(copied, order.stop)


def near_target(long: Sequence[str], split: tuple[Sequence[str], Sequence[str]]) -> tuple[list[str], list[str]] | None:
    """Return the long sentence edited only in its window, as two halves: the target of Changes Near Split.

    None where there is no window (see `edit_window`).
    """
    first, second = split
    window = edit_window(long, first, second)
    if window is None:
        return None
    left = [*long[: window.old_start], *first[window.new_start :]]
    return left, [*second[: window.new_end - len(first) - 1], *long[window.old_end :]]


def inserted_target(long: Sequence[str], at: int) -> tuple[list[str], list[str]]:
    """Return the long sentence cut before token `at`, as two halves: the target of Direct Insertion.

    Punctuation at the cut becomes a full stop; the second half begins with a capital (its other letters stay, where
    the released code lowers them).
    """
    left, right = list(long[:at]), list(long[at:])
    while left and not _is_word(left[-1]) and left[-1] not in _CLOSING:
        left.pop()
    return [*left, "."], [token[:1].upper() + token[1:] if not n else token for n, token in enumerate(right)]


def edit_labels(
    long: Sequence[str], split: tuple[Sequence[str], Sequence[str]], category: Category, tokenize: Tokenize
) -> EditLabels:
    """Return the padded pair and its edit labels, in pieces of `tokenize` (any function from text to tokens).

    Changes Near Split is copied outside the window and edited inside; the other categories are edited everywhere.
    For Direct Insertion pass `inserted_target` as `split` to train as the paper's code does.
    """
    first, second = split
    window = edit_window(long, first, second) if category == "Changes Near Split" else None
    if window is None:
        changed: Category = "Changes Across Sentence" if category == "Changes Near Split" else category
        segment = _pad(_pieces(long, tokenize), _target_pieces(first, second, tokenize))
        return _wrap([segment], [1], 1, changed)
    source, left, right = _narrow(window, long, first, second)
    segments = [
        _pad(_pieces(source[0], tokenize), _pieces(first[:left], tokenize)),
        _pad(_pieces(source[1], tokenize), _target_pieces(first[left:], second[:right], tokenize)),
        _pad(_pieces(source[2], tokenize), _pieces(second[right:], tokenize)),
    ]
    return _wrap(segments, [0, 1, 0], 0, category)


def _narrow(
    window: Window, long: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> tuple[tuple[Sequence[str], ...], int, int]:
    """Shrink a window to what really differs.

    Returns the source in three segments, and where the middle begins in the first half and ends in the second.
    """
    left = [*long[: window.old_start], *first[window.new_start :]]
    inside = window.new_end - len(first) - 1
    right = [*second[:inside], *long[window.old_end :]]
    prefix = _shared(long, left)
    suffix = _shared(long[prefix:][::-1], right[::-1])
    end = len(long) - suffix
    segments = (long[:prefix], long[prefix:end], long[end:])
    return segments, len(first) - (len(left) - prefix), min(inside, len(right) - suffix)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens two sequences share at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _pieces(tokens: Sequence[str], tokenize: Tokenize) -> list[str]:
    return tokenize(" ".join(tokens)) if tokens else []


def _target_pieces(first: Sequence[str], second: Sequence[str], tokenize: Tokenize) -> list[str]:
    return [*_pieces(first, tokenize), SEP, *_pieces(second, tokenize)]


def _pad(source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    missing = len(target) - len(source)
    return source + [FILL] * missing, target + [FILL] * -missing


def _wrap(
    segments: list[tuple[list[str], list[str]]], deltas: list[int], delta_of_ends: int, category: Category
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
