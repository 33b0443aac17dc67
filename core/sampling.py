"""Samples drawn by hash, which do not depend on the order of the values."""

import hashlib
import heapq
from collections.abc import Callable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


def rank(text: str, seed: int | None = None) -> int:
    """Return a hash of a text and an optional seed, from 0 to 2**64 - 1."""
    seeded = text if seed is None else f"{seed}/{text}"
    digest = hashlib.blake2b(seeded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class HashSample(Generic[_Value]):
    """A sample of at most `size` values: those with the smallest ranks."""

    def __init__(self, size: int, seed: int | None = None) -> None:
        self.size, self.seed = size, seed
        self.seen = 0
        """Number of values offered so far."""
        self._heap: list[tuple[int, int, _Value]] = []
        """Negated rank, negated position and value, so that the value with the largest rank comes first."""

    def add(self, text: str, make: Callable[[], _Value]) -> None:
        """Offer a value whose rank is the hash of `text`. `make` is called only if the value enters the sample."""
        self.seen += 1
        order = -rank(text, self.seed), -self.seen
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, (*order, make()))
        elif self._heap and order > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (*order, make()))

    def ranked(self) -> list[tuple[int, int, _Value]]:
        """Return rank, position (from 1) and value of the sample, smallest rank first."""
        return sorted((-rank, -position, value) for rank, position, value in self._heap)

    def values(self, size: int | None = None) -> list[_Value]:
        """Return the values of the sample, or only the first `size`, smallest rank first."""
        return [value for _, _, value in self.ranked()[:size]]
