"""Difficulty: hand-computed parts, and bounds."""

from dataclasses import replace

import pytest
from factories import judged
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.corpus.difficulty import CONSTRUCTIONS, difficulty, parts
from bitext_pivot.syntax.labelling import constructions

WORDS = st.lists(st.sampled_from(["garden", "Garden", "house", "a", ".", "東京"]), min_size=1).map(
    " ".join
)


def test_every_construction_has_its_part() -> None:
    assert CONSTRUCTIONS.keys() == constructions.CONSTRUCTIONS.keys()


@pytest.mark.parametrize(("pair", "expected"), [
    (("uncle slept , mother worked .", "Uncle slept .", "Mother worked ."), (1 / 6, 0, 6 / 60)),  # one more full stop
    (("uncle slept , mother worked .", "Mother worked .", "Uncle slept ."), (1 / 6, 1, 6 / 60)),
    (("uncle slept", "one two", "three four"), (1, 0, 2 / 60)),
    (("word " * 90, "word " * 40, "word " * 40), (0, 0, 1)),
])  # fmt: skip
def test_parts_are_shares(pair: tuple[str, str, str], expected: tuple[float, float, float]) -> None:
    found = parts(judged(1, *pair))
    assert (found["new"], found["moved"], found["length"]) == pytest.approx(expected, abs=1e-4)


def test_a_sentence_that_is_not_divided_has_moved_words() -> None:
    assert parts(replace(judged(1, "a b c", "a b", "c"), split_at=None))["moved"] == 1


@given(WORDS, WORDS, WORDS, st.sampled_from([*CONSTRUCTIONS]))
def test_the_difficulty_is_the_mean_and_between_0_and_1(
    long: str, first: str, second: str, construction: str
) -> None:
    found = parts(replace(judged(1, long, first, second), construction=construction))
    assert all(0 <= value <= 1 for value in found.values())  # type: ignore[operator]
    assert difficulty(found) == pytest.approx(sum(found.values()) / 4, abs=1e-4)  # type: ignore[arg-type]
