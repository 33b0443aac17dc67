"""Find the known name that is most similar to an unknown one."""

import difflib
from collections.abc import Iterable


def similar(name: str, names: Iterable[str], *, likeness: float = 0.6) -> list[str]:
    """Return a list of the most similar name, ignoring case, or an empty list if no name is similar.

    `likeness` is the minimum similarity, from 0 to 1.
    """
    by_lower = {candidate.casefold(): candidate for candidate in sorted(names)}
    near = difflib.get_close_matches(name.casefold(), by_lower, n=1, cutoff=likeness)
    return [by_lower[match] for match in near]


def question(name: str, names: Iterable[str], *, likeness: float = 0.6) -> str:
    """Return the question "Did you mean ...?" with a leading space, or "" if no name is similar.

    >>> question("Europral", ["Books", "Europarl"])
    " Did you mean 'Europarl'?"
    """
    near = similar(name, names, likeness=likeness)
    return f" Did you mean {near[0]!r}?" if near else ""
