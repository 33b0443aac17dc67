"""A baseline that cuts a sentence at a comma or conjunction, whatever its meaning."""

import re

_WORD = re.compile(r"\S+?(?=,?(?:\s|$))")
"""A word without the comma that follows it, or that comma as a match of its own."""
_CUTS = frozenset({",", "and", "which", "but", "who", "while"})


def blind_cut(line: str) -> str:
    """Cut a sentence in two at the comma or conjunction nearest to its middle.

    The comma or conjunction is dropped, and so are commas and conjunctions next to it. A sentence without commas and
    conjunctions is cut before its middle word. If one half would be empty, the sentence is returned unchanged. The
    conjunctions are English; in other languages only commas count.

    >>> blind_cut("The train was late, and we waited in the cold.")
    'The train was late . <SEP> We waited in the cold.'
    """
    words = list(_WORD.finditer(line))
    is_cut = [word[0].lower() in _CUTS for word in words]
    inner = [place for place in range(1, len(words) - 1) if is_cut[place]]
    start = end = min(inner, key=lambda place: abs(place - len(words) / 2), default=len(words) // 2)
    while start and is_cut[start - 1]:
        start -= 1
    while end < len(words) and is_cut[end]:
        end += 1
    if not 0 < start <= end < len(words):
        return line
    first, second = line[: words[start - 1].end()].lstrip(), line[words[end].start() :]
    return f"{first} . <SEP> {second[0].upper()}{second[1:]}"
