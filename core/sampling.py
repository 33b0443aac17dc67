"""Samples drawn by hashes: the same values in every build, whatever their order."""

import hashlib
import heapq
from collections.abc import Callable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


def rank(text: str, seed: int | None = None) -> int:
    """Return a number from 0 to 2**64 - 1 that depends on a text, and on the seed if there is one, alone."""
    seeded = text if seed is None else f"{seed}/{text}"
    digest = hashlib.blake2b(seeded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class HashSample(Generic[_Value]):
    """The values with the smallest ranks, at most `size`."""

    def __init__(self, size: int, seed: int | None = None) -> None:
        self.size, self.seed = size, seed
        self.seen = 0
        """Values so far."""
        self._heap: list[tuple[int, int, _Value]] = []
        """Rank and position, both negative, so that the largest rank comes first."""

    def add(self, text: str, make: Callable[[], _Value]) -> None:
        """Take a value into account, which is made only if it is in the sample now; `text` gives its rank."""
        self.seen += 1
        order = -rank(text, self.seed), -self.seen
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, (*order, make()))
        elif self._heap and order > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (*order, make()))

    def ranked(self) -> list[tuple[int, int, _Value]]:
        """Return rank, position and value of the sample, the smallest rank first; positions count from 1."""
        return sorted((-rank, -position, value) for rank, position, value in self._heap)

    def values(self, size: int | None = None) -> list[_Value]:
        """Return the values of the sample, or the first `size` of them, the smallest rank first."""
        return [value for _, _, value in self.ranked()[:size]]
