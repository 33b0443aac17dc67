"""Greedy matching and spans by hand, and packs of texts."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.neural.encoder import pack_texts
from bitext_pivot.filters.neural.matching import SPAN, match_tokens, weakest_similarity

EAST, NORTH, BETWEEN, WEST = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (-1.0, 0.0)
CASES = {
    "each token with the nearest": (
        [EAST, NORTH],
        [1, 1],
        [BETWEEN],
        [1],
        (0.7, 0.8, 2 * 0.7 * 0.8 / 1.5),
    ),
    "weights are shares": (
        [EAST, NORTH],
        [3, 1],
        [BETWEEN],
        [5],
        (0.65, 0.8, 2 * 0.65 * 0.8 / 1.45),
    ),
    "a weight of 0 does not count": ([EAST, NORTH], [0, 1], [BETWEEN], [5], (0.8, 0.8, 0.8)),
    "a candidate of which nothing counts": (
        [EAST, NORTH],
        [0, 0],
        [EAST, NORTH, BETWEEN],
        [1, 1, 1],
        (0, 0, 0),
    ),
    "a reference of which nothing counts": (
        [EAST, NORTH, BETWEEN],
        [1, 1, 1],
        [EAST],
        [0],
        (0, 0, 0),
    ),
    "opposite texts": ([EAST], [1], [WEST], [1], (-1, -1, -1)),
    "a right angle": ([EAST], [1], [NORTH], [1], (0, 0, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_precision_recall_and_f(case: str) -> None:
    candidate, counts, reference, others, expected = CASES[case]
    assert match_tokens(tensor(candidate), counts, tensor(reference), others) == pytest.approx(
        expected
    )


def tensor(rows: Sequence[Sequence[float]]) -> Any:
    """A matrix with these rows."""
    import torch

    return torch.tensor(rows, dtype=torch.float64)


def vectors(*similarities: float) -> list[tuple[float, float]]:
    """Unit vectors with these similarities to EAST."""
    return [(number, (1 - number**2) ** 0.5) for number in similarities]


def weakest(
    rows: Sequence[Sequence[float]], letters: Sequence[int], *texts: Sequence[Sequence[float]]
) -> float:
    """The similarity of the weakest span with the nearest of some texts."""
    return weakest_similarity(tensor(rows), letters, list(map(tensor, texts)))


SPANS = {
    # vectors, letters of each, texts beside them, expected
    "what has no letters does not count": (vectors(0.5, -1, 0.5, -1), [18, 0, 17, 0], [EAST], 0.5),
    "the nearest of two texts": (vectors(1, 0, 1, 0, 1, 0), [6] * 6, [EAST, NORTH], 1),
    "nothing counts": (vectors(1, 1), [0, 0], [EAST], 0),
}  # fmt: skip


@pytest.mark.parametrize("case", SPANS)
def test_the_weakest_span(case: str) -> None:
    rows, letters, texts, expected = SPANS[case]
    assert weakest(rows, letters, *([text] for text in texts)) == pytest.approx(expected)


TOKENS = st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 12)), min_size=1, max_size=30)


@given(TOKENS)
def test_the_weakest_span_is_that_of_a_plain_loop(tokens: list[tuple[float, int]]) -> None:
    similarities, letters = zip(*tokens, strict=True)
    means = []
    for begin in range(len(tokens)):
        ends = [end for end in range(begin + 1, len(tokens) + 1) if sum(letters[begin:end]) >= SPAN]
        if sum(letters) and (ends or begin == 0):
            span = tokens[begin : ends[0] if ends else len(tokens)]
            means.append(sum(one * count for one, count in span) / sum(count for _, count in span))
    assert weakest(vectors(*similarities), letters, [EAST]) == pytest.approx(
        min(means, default=0), abs=1e-9
    )


@given(st.lists(st.integers(1, 600), max_size=60))
def test_each_text_is_in_one_pack(lengths: list[int]) -> None:
    groups = pack_texts(lengths, 512)
    assert sorted(place for group in groups for place in group) == list(range(len(lengths)))
    assert all(sum(lengths[n] for n in group) <= 512 or len(group) == 1 for group in groups)


@pytest.mark.parametrize(
    ("lengths", "room", "groups"),
    [([3, 5, 4], 0, [[1], [2], [0]]), ([5, 300, 212, 500, 7], 512, [[3, 4, 0], [1, 2]])],
)
def test_the_next_text_fills_the_first_gap(
    lengths: list[int], room: int, groups: list[list[int]]
) -> None:
    assert pack_texts(lengths, room) == groups
