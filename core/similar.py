"""The nearest of known names to one that is not known."""

import difflib
from collections.abc import Iterable


def similar(
    name: str, names: Iterable[str], *, likeness: float = 0.6, number: int = 1
) -> list[str]:
    """Return the names that are most like a name, ignoring case: the nearest first, `number` of them at most.

    `likeness` is the least that a name has in common with it, from 0 to 1.
    """
    by_lower = {candidate.casefold(): candidate for candidate in sorted(names)}
    near = difflib.get_close_matches(name.casefold(), by_lower, n=number, cutoff=likeness)
    return [by_lower[match] for match in near]
