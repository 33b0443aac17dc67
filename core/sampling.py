"""Random samples drawn by hash, so that they do not depend on the order of the values."""

import hashlib
import heapq
from collections.abc import Callable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


def rank(text: str, seed: int | None = None) -> int:
    """Return the rank of a text in a random order: a hash of text and seed, from 0 to 2**64 - 1."""
    seeded = text if seed is None else f"{seed}/{text}"
    digest = hashlib.blake2b(seeded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class HashSample(Generic[_Value]):
    """A random sample of at most `size` values: the values whose texts have the smallest hashes (`rank`)."""

    def __init__(self, size: int, seed: int | None = None) -> None:
        self.size, self.seed = size, seed
        self.seen = 0
        """Number of values offered so far."""
        self._heap: list[tuple[int, int, _Value]] = []
        """Tuples of negated hash, negated position and value, so that the largest hash comes first."""

    def add(self, text: str, make: Callable[[], _Value]) -> None:
        """Offer the value that `make` returns. It is made only if the hash of `text` brings it into the sample."""
        self.seen += 1
        order = -rank(text, self.seed), -self.seen
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, (*order, make()))
        elif self._heap and order > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (*order, make()))

    def ranked(self) -> list[tuple[int, int, _Value]]:
        """Return hash, position (from 1) and value of each sampled value, smallest hash first."""
        return sorted((-rank, -position, value) for rank, position, value in self._heap)

    def values(self, size: int | None = None) -> list[_Value]:
        """Return the sampled values, or only the first `size` of them, smallest hash first."""
        return [value for _, _, value in self.ranked()[:size]]
