"""Draw records evenly by their ids, before they are read: the same ones in every build, whatever their order."""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Digests = npt.NDArray[np.uint64]


def digests(ids: Iterable[str]) -> Digests:
    """Return a number of 64 bits for each id: the first bytes of its SHA-256."""
    data = b"".join(hashlib.sha256(id.encode("utf-8", "surrogatepass")).digest()[:8] for id in ids)
    return np.frombuffer(data, ">u8").astype(np.uint64)


class Draw:
    """The records with the smallest digests, at most `limit`. Memory: 16 bytes for each of these."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.seen = 0
        """Records so far."""
        self._digests = np.empty(0, np.uint64)
        self._positions = np.empty(0, np.int64)

    def add(self, digests: Digests, positions: npt.NDArray[np.int64]) -> None:
        """Take records at ascending positions into account."""
        self.seen += len(digests)
        self._digests = np.concatenate([self._digests, digests])
        self._positions = np.concatenate([self._positions, positions])
        drawn = np.argsort(self._digests, kind="stable")[: self.limit]
        self._digests, self._positions = self._digests[drawn], self._positions[drawn]

    def positions(self, limit: int | None = None) -> list[int]:
        """Return the positions of the records, or of the first `limit` ones, in the order of their digests."""
        positions: list[int] = self._positions[:limit].tolist()
        return positions
