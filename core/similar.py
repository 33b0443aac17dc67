"""The nearest of known names to one that is not known."""

import difflib
from collections.abc import Iterable


def similar(name: str, names: Iterable[str], *, likeness: float = 0.6) -> list[str]:
    """Return the name that is most like a name, ignoring case, in a list that is empty if none is.

    `likeness` is the least that a name has in common with it, from 0 to 1.
    """
    by_lower = {candidate.casefold(): candidate for candidate in sorted(names)}
    near = difflib.get_close_matches(name.casefold(), by_lower, n=1, cutoff=likeness)
    return [by_lower[match] for match in near]


def question(name: str, names: Iterable[str], *, likeness: float = 0.6) -> str:
    """Return the question whether the most similar name is meant, behind a space; "" if none is similar.

    >>> question("Europral", ["Books", "Europarl"])
    " Did you mean 'Europarl'?"
    """
    near = similar(name, names, likeness=likeness)
    return f" Did you mean {near[0]!r}?" if near else ""
