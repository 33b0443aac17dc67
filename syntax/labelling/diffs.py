"""Compare a long sentence with its split, and find the split position in the long sentence.

All functions are pure and accept any strings as tokens: words separated by whitespace, Moses tokens, parser
tokens.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

import simplediff

_LONGEST = 500  # tokens; Python allows about 1,000 nested calls
_BOUNDARY = object()  # separates the halves: differs from every token
_STEM = 6  # letters compared, so that inflected forms and spelling variants count as one word
_WORD = (
    4  # votes of a word; in a kept run of short words, such as "with a", each token has one vote
)
_LONG_WORD = 4  # letters; shorter words usually occur in both halves
_OPENING = frozenset("([{\"'“‘«„¿¡`") | {"``"}
# Closing marks with their opening marks. German closes a quotation with “, or uses « » the other way round.
_PARTNERS = {
    "“": "„",
    "‘": "‚",
    "«": "»",
    "»": "«",
}
_PUNCTUATION_BONUS = {";": 3, ":": 3, ",": 1} | dict.fromkeys(".!?…-–—", 2)
# Votes lost per token of distance from the position that the lengths of the halves suggest.
_DISTANCE = 0.5


EditKind = Literal["=", "-", "+"]


class Block(NamedTuple):
    """A run of tokens in a diff: kept (`=`), deleted from the old text (`-`) or inserted (`+`)."""

    kind: EditKind
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def length(self) -> int:
        """Number of tokens: in the old sequence for a deletion, otherwise in the new sequence."""
        return self.old_end - self.old_start if self.kind == "-" else self.new_end - self.new_start


def diff_tokens(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Block]:
    """Return the diff of two token sequences, computed by simplediff as in BiSECT (section 4).

    For every run of equal tokens, simplediff calls itself recursively. If both sequences have more than `_LONGEST`
    tokens, it could exceed Python's recursion limit, so the diff is one deletion and one insertion instead.
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
    """Return the index of the first token of `long` after the split, from 0 to `len(long)`.

    Words vote for the position. Each word that the diff keeps, and each longer word (compared by its first letters)
    that occurs in only one half, votes for the side of its half. Short words have a full vote only next to longer
    words. (The position of the separator in the diff alone is often wrong in paraphrases.)

    Punctuation before a position adds to its votes, and so does `position_scores`: a bonus per position from
    the parse, in words. The sides of `long` should be about as long as the halves (Gale and Church 1993), so
    each token of difference costs votes. Punctuation at the split belongs to the first half.
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
    """Return the score bonus of each split position, combined from punctuation and the parse.

    The larger bonus counts, but a negative bonus from the parse is added.
    """
    # The last token is left out, because nothing follows it.
    ends = ((n, token[-1]) for n, token in enumerate(long[:-1], 1) if token)
    punctuation = {n: _PUNCTUATION_BONUS[end] for n, end in ends if end in _PUNCTUATION_BONUS}
    bonuses = {
        n: max(punctuation.get(n, 0), score) if score >= 0 else punctuation.get(n, 0) + score
        for n, score in parsed.items()
    }
    return punctuation | bonuses


def count_moved_words(
    long: Sequence[str], first: Sequence[str], second: Sequence[str], at: int
) -> tuple[int, int]:
    """Return how many words of `long` moved to the other half, and how many words were compared.

    A word is compared if it occurs in only one half. It moved if its place in `long`, before or after position
    `at`, belongs to the other half.
    """
    old, left, right = ([token.lower() for token in tokens] for tokens in (long, first, second))
    only_first, only_second = _unshared_stems(left, right)
    sides = [(token[:_STEM] in only_first) - (token[:_STEM] in only_second) for token in old]
    moved = sides[:at].count(-1) + sides[at:].count(1)
    return moved, len(sides) - sides.count(0)


def _unshared_stems(first: Sequence[str], second: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return two sets: stems of longer words in the first half only, and in the second half only.

    A stem is the first six letters of a word.
    """
    first_stems, second_stems = (
        {token[:_STEM] for token in half if len(token) >= _LONG_WORD} for half in (first, second)
    )
    return first_stems - second_stems, second_stems - first_stems


def _count_votes(
    long: Sequence[str], first: Sequence[str], second: Sequence[str], diff: Sequence[Block]
) -> list[int]:
    """Return a vote per token of `long`: positive for the first half, negative for the second."""
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
    """Return True if the long sentence contains words both before and after a split position."""
    return all(any(map(is_word, side)) for side in (long[:position], long[position:]))


def is_word(token: str) -> bool:
    """Return True if a token contains a letter or a digit."""
    return token.isalnum() or any(map(str.isalnum, token))


def is_closing_mark(tokens: Sequence[str], position: int) -> bool:
    """Return True if the token at a position closes a quotation that was opened before it.

    This covers German marks: `„ ... “` and `» ... «`.
    """
    partner, before = _PARTNERS.get(tokens[position]), tokens[:position]
    return partner is not None and before.count(partner) > before.count(tokens[position])


def is_opening_mark(tokens: Sequence[str], position: int) -> bool:
    """Return True if the token is an opening bracket or quotation mark, or Spanish `¿` or `¡`.

    A `»` opens a quotation if `«` occurs only after the `»`, as in German.
    """
    if tokens[position] == "»":
        return "«" in tokens[position + 1 :] and "«" not in tokens[:position]
    return tokens[position] in _OPENING and not is_closing_mark(tokens, position)


def align_split(
    long: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> tuple[list[Block], int]:
    """Return the diff from a long sentence to its split, and the index of the separator's block."""
    diff = diff_tokens(long, [*first, _BOUNDARY, *second])
    separator = len(first)
    index = next(
        n for n, block in enumerate(diff) if block.kind == "+" and separator < block.new_end
    )
    return diff, index


def count_shared_start(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of tokens with which both sequences begin."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(left), len(right)))
