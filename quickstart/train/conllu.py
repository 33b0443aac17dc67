"""Treebanks of Universal Dependencies as parses: to measure parsers, and rules without any parser, by.

The format is CoNLL-U (universaldependencies.org/format.html), gzipped or not; a sentence is read at a time.
"""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.records import Parse

_COLUMNS = 10
_NO_SPACE = "SpaceAfter=No"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankSentence:
    """A sentence of a treebank; its text is written out from the tokens, so that their offsets fit it.

    `space_after` is True if a space follows.
    """

    id: str
    text: str
    parse: Parse
    space_after: bool


@dataclass(frozen=True, slots=True)
class _Word:
    """A surface token; `numbers` are those of its words in the file."""

    form: str
    columns: Sequence[str]
    numbers: tuple[str, ...]
    space_after: bool


def read_treebank(path: Path) -> Iterator[TreebankSentence]:
    """Yield the sentences of a CoNLL-U file.

    A contraction that is nothing but its words side by side (`don't`) becomes those words, as spaCy's tokenizers cut
    it; any other (`du`, `zum`, `dárselo`) stays one token with the columns of its highest word. Raises
    SourceError, with the line, for what is no CoNLL-U.
    """
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        numbered = enumerate(lines, 1)
        for is_sentence, block in groupby(numbered, lambda line: bool(line[1].strip())):
            if is_sentence:
                yield _sentence([(number, line.rstrip("\n")) for number, line in block], path)


def _sentence(lines: Sequence[tuple[int, str]], path: Path) -> TreebankSentence:
    comments = [line for _, line in lines if line.startswith("#")]
    rows = [_row(line, number, path) for number, line in lines if not line.startswith("#")]
    words = list(_surface(row for row in rows if "." not in row[0]))
    ids = (line.partition("=")[2].strip() for line in comments if line.startswith("# sent_id"))
    try:
        text, parse = _written(words), _parse(words)
    except KeyError as error:
        raise SourceError(
            f"A word of the sentence that begins at line {lines[0][0]} of {path} hangs from {error}, which is no word "
            "of the sentence. Expected CoNLL-U; download the file again from universaldependencies.org."
        ) from error
    return TreebankSentence(
        id=next(ids, ""), text=text, parse=parse, space_after=bool(words) and words[-1].space_after
    )


def _row(line: str, number: int, path: Path) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise SourceError(
            f"Line {number} of {path} has {len(columns)} columns, not the {_COLUMNS} of CoNLL-U. "
            "Name a treebank of Universal Dependencies."
        )
    return columns


def _surface(rows: Iterator[list[str]]) -> Iterator[_Word]:
    """Yield the tokens as they are written, contractions joined again or cut without a space."""
    for row in rows:
        first, _, last = row[0].partition("-")
        if not last:
            yield _Word(row[1], row, (first,), _NO_SPACE not in row[9])
            continue
        parts = [next(rows) for _ in range(int(first), int(last) + 1)]
        if "".join(part[1] for part in parts) == row[1]:
            yield from (_Word(part[1], part, (part[0],), False) for part in parts[:-1])
            yield _Word(parts[-1][1], parts[-1], (last,), _NO_SPACE not in row[9])
        else:
            numbers = tuple(part[0] for part in parts)
            highest = next((part for part in parts if part[6] not in numbers), parts[0])
            yield _Word(row[1], highest, numbers, _NO_SPACE not in row[9])


def _written(words: Sequence[_Word]) -> str:
    return "".join(word.form + " " * word.space_after for word in words).rstrip(" ")


def _parse(words: Sequence[_Word]) -> Parse:
    indices = {number: n for n, word in enumerate(words) for number in word.numbers}
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word.form) + word.space_after)
    columns = [word.columns for word in words]
    return Parse(
        tokens=tuple(word.form for word in words),
        starts=tuple(ends[:-1]),
        lemmas=tuple(row[2] for row in columns),
        tags=tuple("" if row[4] == "_" else row[4] for row in columns),
        pos=tuple(row[3] for row in columns),
        morphs=tuple("" if row[5] == "_" else row[5] for row in columns),
        deps=tuple(row[7] for row in columns),
        heads=tuple(n if row[6] == "0" else indices[row[6]] for n, row in enumerate(columns)),
        scheme="ud",
    )
