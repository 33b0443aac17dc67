"""Records as Arrow's columns: a part of the columns gives that part of the records."""

import dataclasses

import pytest
from factories import flat, parsed

from pairs.records import Alignment, ParsedPair
from pairs.storage import arrow

ALIGNMENTS = [
    Alignment(
        id=f"Everyday/v1/en-fr:{number}", corpus="Everyday", release="v1", licence="CC0-1.0", one_language="en",
        two_language="fr", one="It rained.", two=(f"Il a plu {number} fois.", "Fin."), one_document="en/a.xml",
        two_document="fr/a.xml", one_id="1", two_ids=("1", "2"), attributes={"score": "1.5"} if number % 2 else {},
    )
    for number in range(6)
]  # fmt: skip
PAIRS = [
    parsed(flat(" ".join(["cat/NOUN"] * (number + 1))), flat(f"a{number}/DET"), flat("it/PRON rained/VERB"))
    for number in range(6)
]
TRACED = [
    dataclasses.replace(pair, pair=dataclasses.replace(pair.pair, alignment=one if number % 3 else None))
    for number, (pair, one) in enumerate(zip(PAIRS, ALIGNMENTS, strict=True))
]
PARTS = [slice(0, 6), slice(2, 5), slice(3, 3), slice(5, 6)]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_a_part_of_the_columns_is_that_part_of_the_records(part: slice) -> None:
    for kind, rows in ((Alignment, ALIGNMENTS), (ParsedPair, TRACED)):
        columns = arrow.batch(kind, rows).slice(part.start, part.stop - part.start)
        assert arrow.records(kind, columns) == rows[part]
