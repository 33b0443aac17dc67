"""The difference between a long sentence and its split: blocks, and the position in the long one where the split falls.

Pure functions of tokens; a token is any string, so whitespace, Moses and parser tokens all do.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

import simplediff

_LONGEST = 500  # tokens; Python allows about 1,000 nested calls
_BOUNDARY = object()  # between the halves: equal to no token, whatever the text contains
_STEM = 6  # letters by which inflected and differently spelt forms are taken for one word
_WORD = 4  # votes of a word; a kept run of short words alone, "with a", has one per token
_LONG_WORD = 4  # letters; shorter words are in both halves
_OPENING = frozenset("([{\"'“‘«„¿¡`") | {"``"}
_PARTNERS = {
    "“": "„",
    "‘": "‚",
    "«": "»",
    "»": "«",
}  # German closes with what English opens with, or turns « » round
_PUNCTUATION_BONUS = {";": 3, ":": 3, ",": 1} | dict.fromkeys(".!?…-–—", 2)
_DISTANCE = (
    0.5  # votes per token between a position and the one that the lengths of the sentences suggest
)


EditKind = Literal["=", "-", "+"]


class Block(NamedTuple):
    """A run of tokens that is kept (`=`), only in the old sequence (`-`) or only in the new one (`+`)."""

    kind: EditKind
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def length(self) -> int:
        """How many tokens the run has, counted in the new sequence unless it is a deletion."""
        return self.old_end - self.old_start if self.kind == "-" else self.new_end - self.new_start


def diff_tokens(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Block]:
    """Return the diff of two sequences as simplediff computes it, which BiSECT used (section 4).

    simplediff recurses once per kept run. Where the shorter sequence has more than `_LONGEST` tokens, the whole old
    sequence is one deletion and the new one an insertion.
    """
    is_long = min(len(old), len(new)) > _LONGEST
    runs: list[tuple[EditKind, Sequence[Hashable]]]
    runs = [("-", old), ("+", new)] if is_long else simplediff.diff(list(old), list(new))
    diff, old_start, new_start = [], 0, 0
    for kind, tokens in runs:
        old_end = old_start + len(tokens) * (kind != "+")
        new_end = new_start + len(tokens) * (kind != "-")
        diff.append(Block(kind, old_start, old_end, new_start, new_end))
        old_start, new_start = old_end, new_end
    return diff


def find_split_position(
    long: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    position_scores: Mapping[int, int] | None = None,
) -> int:
    """Return the index of the token of `long` before which the split falls, from 0 to `len(long)`.

    Words vote for the position: each word that the diff keeps, and each longer word (by its first letters) that only
    one of the two sentences has, belongs on the side of its sentence. Short words count in full only next to longer
    ones. (The position at which the diff alone aligns the separator is often wrong in paraphrases.) Punctuation before
    a position and `position_scores` (a bonus per position, in words, from the parse) add to its votes. The sides of
    `long` are as long as their sentences, more or less (Gale and Church 1993): each token of difference costs votes.
    Punctuation at the split stays on the left.
    """
    old, left, right = ([token.lower() for token in tokens] for tokens in (long, first, second))
    votes = [0, *accumulate(_count_votes(old, left, right, align_split(old, left, right)[0]))]
    for position, words in _combine_bonuses(old, position_scores or {}).items():
        votes[position] += _WORD * words
    expected = len(old) * len(left) / max(1, len(left) + len(right))
    positions = [
        n
        for n in range(len(votes))
        if n in {0, len(old)} or is_word(old[n]) or is_opening_mark(old, n)
    ]
    return max(positions, key=lambda n: votes[n] - _DISTANCE * abs(n - expected))


def _combine_bonuses(long: Sequence[str], parsed: Mapping[int, int]) -> dict[int, int]:
    """Return the bonus per position: the larger of punctuation's and the parse's; a malus of the parse is added."""
    ends = (
        (n, token[-1]) for n, token in enumerate(long[:-1], 1) if token
    )  # nothing follows the last token
    punctuation = {n: _PUNCTUATION_BONUS[end] for n, end in ends if end in _PUNCTUATION_BONUS}
    bonuses = {
        n: max(punctuation.get(n, 0), score) if score >= 0 else punctuation.get(n, 0) + score
        for n, score in parsed.items()
    }
    return punctuation | bonuses


def count_moved_words(
    long: Sequence[str], first: Sequence[str], second: Sequence[str], at: int
) -> tuple[int, int]:
    """Return how many words of `long` only the half on the other side of position `at` has, and how many either has."""
    old, left, right = ([token.lower() for token in tokens] for tokens in (long, first, second))
    only_first, only_second = _unshared_stems(left, right)
    sides = [(token[:_STEM] in only_first) - (token[:_STEM] in only_second) for token in old]
    moved = sides[:at].count(-1) + sides[at:].count(1)
    return moved, len(sides) - sides.count(0)


def _unshared_stems(first: Sequence[str], second: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the beginnings of the longer words that only the first half has, and those that only the second has."""
    first_stems, second_stems = (
        {token[:_STEM] for token in half if len(token) >= _LONG_WORD} for half in (first, second)
    )
    return first_stems - second_stems, second_stems - first_stems


def _count_votes(
    long: Sequence[str], first: Sequence[str], second: Sequence[str], diff: Sequence[Block]
) -> list[int]:
    """Return for each token of `long` how much it belongs to the first half (positive) or the second (negative)."""
    only_first, only_second = _unshared_stems(first, second)
    votes = [
        _WORD * ((token[:_STEM] in only_first) - (token[:_STEM] in only_second)) for token in long
    ]
    for block in diff:
        if block.kind == "=":
            tokens = long[block.old_start : block.old_end]
            worth = _WORD if any(len(token) >= _LONG_WORD for token in tokens) else 1
            side = worth if block.new_end <= len(first) else -worth
            for position, token in enumerate(tokens, block.old_start):
                votes[position] += side * is_word(token)
    return votes


def has_words_on_both_sides(long: Sequence[str], position: int) -> bool:
    """Return True if `long` has words on both sides of a position."""
    return all(any(map(is_word, side)) for side in (long[:position], long[position:]))


def is_word(token: str) -> bool:
    """Return True if a token holds a letter or a digit."""
    return token.isalnum() or any(map(str.isalnum, token))


def is_closing_mark(tokens: Sequence[str], position: int) -> bool:
    """Return True if a quotation mark closes what its partner opened before it: German `„ ... “` and `» ... «` too."""
    partner, before = _PARTNERS.get(tokens[position]), tokens[:position]
    return partner is not None and before.count(partner) > before.count(tokens[position])


def is_opening_mark(tokens: Sequence[str], position: int) -> bool:
    """Return True if a bracket, quotation mark or Spanish `¿` opens; `»` does where `«` comes only behind it."""
    if tokens[position] == "»":
        return "«" in tokens[position + 1 :] and "«" not in tokens[:position]
    return tokens[position] in _OPENING and not is_closing_mark(tokens, position)


def align_split(
    long: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> tuple[list[Block], int]:
    """Return the blocks from `long` to both halves, and which of them holds the separator."""
    diff = diff_tokens(long, [*first, _BOUNDARY, *second])
    separator = len(first)
    index = next(
        n for n, block in enumerate(diff) if block.kind == "+" and separator < block.new_end
    )
    return diff, index


def count_shared_start(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many tokens two sequences have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(left), len(right)))
