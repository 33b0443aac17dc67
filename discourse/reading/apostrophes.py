"""Bold and italics of wikitext: which apostrophes of a line are markup (`Parser::doQuotes` of MediaWiki)."""

import re

_RUN = re.compile(r"('{2,})")
_ITALICS, _BOLD, _BOTH = 2, 3, 5  # apostrophes


def without_quotes(line: str) -> str:
    """Return a line of wikitext without the apostrophes that are markup; what is open ends with the line.

    >>> without_quotes("The ''Eagle'''s stage left, and the '''crew''' waited.")
    "The Eagle's stage left, and the crew waited."
    """
    pieces = _RUN.split(line)
    texts, runs = pieces[::2], [len(run) for run in pieces[1::2]]
    for n, length in enumerate(runs):
        runs[n] = _markup(length)
        texts[n] += "'" * (length - runs[n])
    both = runs.count(_BOTH)
    if (runs.count(_BOLD) + both) % 2 and (runs.count(_ITALICS) + both) % 2 and _BOLD in runs:
        texts[_apostrophe(texts, runs)] += "'"
    return "".join(texts)


def _markup(length: int) -> int:
    """Return how many apostrophes of a run are markup, the last ones."""
    if length == 4:
        return _BOLD
    return min(length, _BOTH)


def _apostrophe(texts: list[str], runs: list[int]) -> int:
    """Return which run of three is an apostrophe and italics, where bold and italics are both odd in number.

    The first behind a word of a single letter, else the first behind a longer word, else the first behind a space.
    """
    bold = [n for n, length in enumerate(runs) if length == _BOLD]
    after_words = [n for n in bold if not texts[n].endswith(" ")]
    after_letters = [n for n in after_words if texts[n][-2:-1] == " "]
    return [*after_letters, *after_words, *bold][0]
