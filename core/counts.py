"""Counts by path, the only kind of counts of a build: they add up over records, shards and corpora."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self


class Counts(Counter[tuple[str, ...]]):
    """Numbers by path, such as `("labels", "category", "Direct Insertion")`; they add up with `+` and `update`."""

    def __add__(self, other: Counter[Any]) -> "Counts":  # type: ignore[override]  # of this class
        total = Counts(self)
        total.update(other)
        return total

    def below(self, *path: str) -> Counter[str]:
        """Return the numbers below a path by the next name, sorted by it; what follows is summed."""
        depth = len(path)
        numbers: Counter[str] = Counter()
        for name, number in sorted(self.items()):
            if len(name) > depth and name[:depth] == path:
                numbers[name[depth]] += number
        return numbers

    def nested(self) -> dict[str, Any]:
        """Return the numbers in nested dictionaries, sorted by name: a JSON object for `read`."""
        tree: dict[str, Any] = {}
        for path, number in sorted(self.items()):
            branch = tree
            for name in path[:-1]:
                branch = branch.setdefault(name, {})
            branch[path[-1]] = number
        return tree

    @classmethod
    def read(cls, tree: Mapping[str, Any]) -> Self:
        """Return the counts in nested dictionaries. Raises ValueError for a value that is no whole number."""
        counts = cls()
        for name, value in tree.items():
            if isinstance(value, Mapping):
                counts.update({(name, *path): number for path, number in cls.read(value).items()})
            elif type(value) is int:
                counts[name,] += value
            else:
                raise ValueError(f"{name}: expected a whole number")
        return counts


def commonest(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names and numbers, the highest number first, then by name."""
    return sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
