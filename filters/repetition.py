"""Words repeated over and over, as an engine does that lost its way: `of the report of the report of the report`.

No filter of the paper. A repetition that both sides share, such as a list of equal items, is not the engine's.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.words import spread
from pairs.columns import Counts
from pairs.records import ParsedPair


class Repetition(Filter):
    """Counts tokens that repeat what stands right before them, on one side more than on the other."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_tokens"})

    max_tokens: int = Field(
        default=2,
        title="Most tokens",
        ge=0,
        le=1000,
        description="Tokens by which the longest repetition of one side may surpass that of the other. One word three "
        "times is 2, four words twice are 4.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return by how many tokens the longest repetition in `long` and that in the halves differ."""
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch), _difference)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_tokens`."""
        return score <= self.max_tokens


def _suspects(batch: Batch) -> Counts:
    """Return the pairs in which a sentence may say something twice in a row: three tokens come again, near or often.

    Where n tokens are said once more, the three tokens that begin at each of them come again, but for the last two.
    """
    words, sentence = batch.tokens.numbers.astype(np.uint64), batch.sentence[:-2]
    many = np.uint64(len(batch.tokens.listed))
    within = spread(sentence.astype(np.uint64))  # some end in the next one
    threes = (words[:-2] * many + words[1:-1]) * many + words[2:] + within
    bits = np.uint64(int(sentence.size).bit_length())
    entries = spread(threes) >> bits << bits | np.arange(sentence.size, dtype=np.uint64)
    entries.sort()
    again = np.flatnonzero((entries[1:] ^ entries[:-1]) >> bits == 0)
    first, second = (entries[n] & np.uint64((1 << int(bits)) - 1) for n in (again, again + 1))
    distances, owners = (second - first).astype(np.int64), sentence[first.astype(np.int64)]
    times = np.bincount(owners, minlength=3 * len(batch))[owners]
    return np.unique(owners[times >= distances - 2] // 3)


def _difference(pair: ParsedPair) -> int:
    first, second = pair.split
    return abs(repeated(pair.long.tokens) - max(repeated(first.tokens), repeated(second.tokens)))


def repeated(tokens: Sequence[str]) -> int:
    """Return how many tokens the longest stretch has that says once more what stands right before it.

    A stretch of fewer than three tokens counts 0.

    >>> repeated("we went on and on and on and on".split())
    6
    """
    if len(set(zip(tokens, tokens[1:], tokens[2:], strict=False))) == len(tokens) - 2:
        return 0  # no three words twice: so it is with nearly all sentences, and this is fast
    return max((_stretch(tokens, size) for size in _distances(tokens)), default=0)


def _distances(tokens: Sequence[str]) -> set[int]:
    """Return the distances at which three tokens occur again."""
    places: dict[tuple[str, ...], int] = {}
    distances = set()
    for place, three in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if three in places:
            distances.add(place - places[three])
        places[three] = place
    return distances


def _stretch(tokens: Sequence[str], size: int) -> int:
    """Return the longest run of tokens that equal the one `size` before them, if it says `size` tokens once more."""
    longest = run = 0
    for before, after in zip(tokens, tokens[size:], strict=False):
        run = run + 1 if before == after else 0
        longest = max(longest, run)
    return longest if longest >= max(size, 3) else 0
