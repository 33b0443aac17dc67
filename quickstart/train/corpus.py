"""Draw training batches from the token files that prepare.py wrote."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

LANGUAGE_SHARES = {"fr": 0.45, "es": 0.35, "de": 0.20}
KIND_SHARES = {"everyday": 0.53, "joined": 0.22, "prose": 0.25}
PADDING = -1


class Batch(NamedTuple):
    """Token ids of one batch; rows end with </s> and are filled up with the padding id."""

    source: torch.Tensor
    target: torch.Tensor


class Group:
    """The examples of one language and kind, handed out in random order again and again."""

    def __init__(self, path: Path, generator: np.random.Generator) -> None:
        with np.load(path) as arrays:
            self.tokens = {side: arrays[side] for side in ("source", "target")}
            self.ends = {side: arrays[f"{side}_ends"] for side in ("source", "target")}
        self.lengths = {side: np.diff(ends, prepend=0) for side, ends in self.ends.items()}
        self.mean = float(sum(length.mean() for length in self.lengths.values()))
        self.generator = generator
        self.order = np.empty(0, dtype=np.int64)

    def draw(self, count: int) -> np.ndarray:
        """Give the next `count` example numbers."""
        while len(self.order) < count:
            self.order = np.concatenate([self.order, self.generator.permutation(len(self.ends["source"]))])
        drawn, self.order = self.order[:count], self.order[count:]
        return drawn

    def row(self, side: str, index: int) -> np.ndarray:
        """Give the token ids of one side of one example."""
        end = self.ends[side][index]
        return self.tokens[side][end - self.lengths[side][index] : end]


class Corpus:
    """An endless stream of batches in the wished mix of languages and kinds, measured in tokens."""

    def __init__(self, folder: Path, *, budget: int, padding: int, seed: int) -> None:
        self.generator = np.random.default_rng(seed)
        self.budget, self.padding = budget, padding
        self.groups: list[Group] = []
        self.rates: list[float] = []
        for path in sorted(folder.glob("*.npz")):
            language, kind = path.stem.split(".")
            group = Group(path, self.generator)
            self.groups.append(group)
            self.rates.append(LANGUAGE_SHARES[language] * KIND_SHARES[kind] / group.mean)

    def batches(self, tokens: int = 2_000_000) -> Iterator[Batch]:
        """Yield batches for ever; rows of similar length are put together within stretches of `tokens` tokens."""
        while True:
            counts = [int(rate * tokens / sum(KIND_SHARES.values())) for rate in self.rates]
            rows = np.concatenate(
                [
                    np.stack([np.full(count, number), group.draw(count)], axis=1)
                    for number, (group, count) in enumerate(zip(self.groups, counts, strict=True))
                ]
            )
            lengths = np.array([[self.groups[n].lengths[side][i] for side in ("source", "target")] for n, i in rows])
            cuts = self.cut(rows, lengths)
            for number in self.generator.permutation(len(cuts)):
                yield self.fill(cuts[number])

    def cut(self, rows: np.ndarray, lengths: np.ndarray) -> list[np.ndarray]:
        """Sort by length and cut into pieces of at most `budget` tokens, padding counted in."""
        order = np.lexsort((self.generator.random(len(rows)), lengths[:, 1], lengths[:, 0]))
        rows, lengths = rows[order], lengths[order]
        pieces, start, longest = [], 0, np.zeros(2, dtype=np.int64)
        for stop, length in enumerate(lengths):
            wider = np.maximum(longest, length)
            if (stop + 1 - start) * wider.sum() > self.budget and stop > start:
                pieces.append(rows[start:stop])
                start, wider = stop, length
            longest = wider
        pieces.append(rows[start:])
        return pieces

    def fill(self, rows: np.ndarray) -> Batch:
        """Put the token ids of some examples into two padded arrays."""
        sides = []
        for side in ("source", "target"):
            texts = [self.groups[number].row(side, index) for number, index in rows]
            filled = np.full((len(texts), max(map(len, texts))), self.padding, dtype=np.int64)
            for line, text in zip(filled, texts, strict=True):
                line[: len(text)] = text
            sides.append(torch.from_numpy(filled))
        return Batch(*sides)
