"""Hierarchical counts. All counts of a build have this form; they are added up over records, shards and corpora."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self


class Counts(Counter[tuple[str, ...]]):
    """Hierarchical counts. A key is a tuple of names, such as `("labels", "category", "Direct Insertion")`.

    `+` and `update` add the counts of equal keys.
    """

    def __add__(self, other: Counter[Any]) -> "Counts":  # type: ignore[override]  # returns this class
        total = Counts(self)
        total.update(other)
        return total

    def below(self, *path: str) -> Counter[str]:
        """Return the sums of all counts whose keys begin with `path`, by the next name in the key.

        The names are sorted: `counts.below("labels", "category")["Direct Insertion"]`.
        """
        depth = len(path)
        numbers: Counter[str] = Counter()
        for name, number in sorted(self.items()):
            if len(name) > depth and name[:depth] == path:
                numbers[name[depth]] += number
        return numbers

    def nested(self) -> dict[str, Any]:
        """Return the counts as nested dictionaries, sorted by name, from which `read` restores them."""
        tree: dict[str, Any] = {}
        for path, number in sorted(self.items()):
            branch = tree
            for name in path[:-1]:
                branch = branch.setdefault(name, {})
            branch[path[-1]] = number
        return tree

    @classmethod
    def read(cls, tree: Mapping[str, Any]) -> Self:
        """Return counts from nested dictionaries. Raises ValueError if a value is not an integer."""
        counts = cls()
        for name, value in tree.items():
            if isinstance(value, Mapping):
                counts.update({(name, *path): number for path, number in cls.read(value).items()})
            elif type(value) is int:
                counts[name,] += value
            else:
                raise ValueError(f"{name}: expected an integer")
        return counts


def sort_by_count(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return pairs of name and count, the highest count first. Names with equal counts are sorted."""
    return sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
