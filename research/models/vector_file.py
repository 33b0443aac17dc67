"""Files of word vectors: a word and its numbers per line, as those of GloVe and fastText."""

import math
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import input_files

EXPECTED = "Expected a text file as GloVe's: a word and its numbers per line, with spaces between."
_LOOKED_AT = 100
"""Lines that `check` reads."""


def check(path: Path) -> None:
    """Raise SettingsError if the first lines of a file are no vectors."""
    for _ in islice(read(path, None), _LOOKED_AT):
        pass


def read(path: Path, words: Collection[str] | None) -> Iterator[tuple[str, list[float]]]:
    """Yield the words of a file that are among `words`, all for None, each with its vector.

    All vectors have as many numbers as the first one; a word may have spaces in it, as some of GloVe's. Raises
    SettingsError for a vector that is none, and for a file that cannot be read.
    """
    units = 0
    for number, line in enumerate(input_files.lines(path, EXPECTED), 1):
        cells = line.rstrip().split(" ")
        if number == 1 and _is_heading(cells):
            continue
        units = units or len(cells) - 1
        word = " ".join(cells[: len(cells) - units])
        if words is None or word in words:
            yield word, _vector(path, number, cells[len(cells) - units :], units)


def _is_heading(cells: list[str]) -> bool:
    """Return True for the first line of a file of fastText or word2vec: how many words, how many numbers."""
    return len(cells) == 2 and all(cell.isdecimal() for cell in cells)


def _vector(path: Path, number: int, cells: list[str], units: int) -> list[float]:
    try:
        vector = [float(cell) for cell in cells]
    except ValueError as error:
        raise SettingsError(
            f"model.vectors is {path}, which has no vector in line {number} ({error}). {EXPECTED}"
        ) from error
    if not vector or len(vector) != units or not all(map(math.isfinite, vector)):
        raise SettingsError(
            f"model.vectors is {path}, which has no vector in line {number}. {EXPECTED}"
        )
    return vector
