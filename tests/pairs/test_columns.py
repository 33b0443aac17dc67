"""Words as columns: a shard gives the same as its records do, and a part the same as the whole."""

from pathlib import Path

import numpy as np
import pytest
from factories import flat, parsed
from hypothesis import given, settings
from hypothesis import strategies as st

from pairs import shards
from pairs.columns import Columns, ParsedPairs, Words, lowered
from pairs.records import ParsedPair

SENTENCE = st.lists(st.sampled_from(["cat/NOUN", "Cat/PROPN", "états/NOUN", "中/X", "./PUNCT"]), min_size=1, max_size=5)
PAIR = st.tuples(*[SENTENCE.map(" ".join).map(flat)] * 3).map(lambda sides: parsed(*sides))


def told(columns: Columns) -> dict[str, list[object]]:
    """What columns say, with the words themselves."""
    words = {name: getattr(columns, name) for name in ("tokens", "lemmas", "pos")}
    said = {name: [one.listed[number] for number in one.numbers.tolist()] for name, one in words.items()}
    return {"sizes": columns.sizes.tolist(), "heads": columns.heads.tolist(), **said}


def test_the_words_of_a_pair_stand_in_the_order_of_its_sentences() -> None:
    columns = Columns.of([parsed(flat("It/PRON rained/VERB"), flat("It/PRON"), flat("Cats/NOUN ./PUNCT"))] * 2)
    assert told(columns) == {
        "sizes": [[2, 1, 2], [2, 1, 2]],
        "heads": [0, 0, 0, 0, 0] * 2,
        "tokens": ["It", "rained", "It", "Cats", "."] * 2,
        "lemmas": ["it", "rained", "it", "cats", "."] * 2,
        "pos": ["PRON", "VERB", "PRON", "NOUN", "PUNCT"] * 2,
    }


def test_a_shard_says_the_same_as_its_records(tmp_path: Path) -> None:
    @settings(max_examples=50)
    @given(st.lists(PAIR, max_size=4))
    def law(rows: list[ParsedPair]) -> None:
        shards.write(tmp_path / "a.parquet", ParsedPair, rows)
        for some in shards.read_parsed(tmp_path / "a.parquet"):
            assert [*some] == rows
            assert told(some.columns) == told(Columns.of(rows))

    law()


def test_a_shard_larger_than_one_part_keeps_its_order(tmp_path: Path) -> None:
    rows = [parsed(flat(f"word{number}"), flat("a"), flat("b c")) for number in range(2_345)]
    shards.write(tmp_path / "a.parquet", ParsedPair, rows)
    parts = list(shards.read_parsed(tmp_path / "a.parquet"))
    assert [one for part in parts for one in part] == rows
    assert [word for part in parts for word in told(part.columns)["tokens"][::4]] == [f"word{n}" for n in range(2_345)]


@given(st.lists(PAIR, max_size=5), st.slices(5))
def test_a_part_has_its_part_of_the_columns(rows: list[ParsedPair], part: slice) -> None:
    some = ParsedPairs(rows)[part]
    assert [*some] == rows[part]
    assert told(some.columns) == told(Columns.of(rows[part]))


def test_what_is_asked_of_words_is_asked_of_each_listed_one() -> None:
    words = Words.of(["the", "Cat", "the", "cat", "sat"])
    assert words.among(frozenset({"the", "sat", "dog"})).tolist() == [True, False, True, False, True]
    same = words.by(lowered)
    assert [np.flatnonzero(same == number).tolist() for number in same] == [[0, 2], [1, 3], [0, 2], [1, 3], [4]]
    part = words.between(2, 5)
    assert part.among(frozenset({"sat"})).tolist() == [False, False, True]
    assert words.at(np.array([4, 1])).listed == ["Cat", "sat"]
    assert words.at(np.array([4, 1, 4])).numbers.tolist() == [1, 0, 1]


def test_a_form_is_asked_for_once() -> None:
    asked = []

    def forms(listed: list[str]) -> list[str]:
        asked.append(len(listed))
        return listed

    words = Words.of(["a", "b", "a"])
    assert words.by(forms).tolist() == words.between(0, 3).by(forms).tolist() == [0, 1, 0]  # type: ignore[arg-type]
    assert asked == [2]


@pytest.mark.parametrize("word", ["ΟΔΟΣ", "Straße", "İstanbul"])
def test_case_is_folded_as_python_does(word: str) -> None:
    words = Words.of([word, word.lower(), word.upper()])
    first, second, third = words.by(lowered).tolist()
    assert first == second
    assert (first == third) == (word.upper().lower() == word.lower())
