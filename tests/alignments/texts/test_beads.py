import math
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.alignments.texts.beads import Bead, align, distance

PRIORS = {(1, 1): 0.89, (1, 2): 0.089, (2, 1): 0.089, (2, 2): 0.011, (1, 0): 0.0099, (0, 1): 0.0099}
LENGTHS = st.lists(st.integers(5, 40), max_size=8)


def places(one: list[int], other: list[int], **options: int) -> list[tuple[list[int], list[int]]]:
    return [(list(bead.one), list(bead.other)) for bead in align(one, other, **options)]


@pytest.mark.parametrize(
    ("one", "other", "beads"),
    [
        ([], [], []),
        ([50], [50], [([0], [0])]),
        ([50, 20], [52, 19], [([0], [0]), ([1], [1])]),
        ([100], [48, 50], [([0], [0, 1])]),
        ([48, 50], [100], [([0, 1], [0])]),
        ([60, 40, 80], [58, 122], [([0], [0]), ([1, 2], [1])]),
        ([58, 122], [60, 40, 80], [([0], [0]), ([1], [1, 2])]),
        ([90, 10], [10, 90], [([0, 1], [0, 1])]),
        ([20, 30, 31], [61], [([0], []), ([1, 2], [0])]),
        ([61], [30, 31, 20], [([0], [0, 1]), ([], [2])]),
        (
            [50, 8, 60],
            [50, 60],
            [([0], [0]), ([1, 2], [1])],
        ),  # what the method is bad at: 8 has no translation
        ([7], [], [([0], [])]),
        ([], [7, 9], [([], [0]), ([], [1])]),
        ([20] * 4, [20] * 4, [([n], [n]) for n in range(4)]),
    ],
)
def test_the_beads_of_texts_counted_by_hand(
    one: list[int], other: list[int], beads: list[tuple[list[int], list[int]]]
) -> None:
    assert places(one, other) == beads


def test_costs_are_those_of_the_paper() -> None:
    assert align([50], [50])[0].cost == pytest.approx(-math.log(0.89))
    assert align([7], [])[0].cost == pytest.approx(-math.log(0.0099) + distance(7, 0))
    # delta = 17 / sqrt(6.8 * 42.5) = 1.00: as much or more happens to .3173 of a normal variable
    assert distance(51, 34) == pytest.approx(-math.log(0.3173), abs=1e-3)
    # delta = 68 / sqrt(6.8 * 170) = 2.00: .0455
    assert distance(204, 136) == distance(136, 204) == pytest.approx(-math.log(0.0455), abs=1e-3)


def test_what_is_next_to_impossible_costs_the_same_however_long() -> None:
    assert [distance(300, 0), distance(9_000_000, 1)] == [25.0, 25.0]


def test_a_long_sentence_without_a_translation_disturbs_its_neighbours_only() -> None:
    beads = align([50, 60, 400, 70, 80, 45], [50, 60, 70, 80, 45])
    assert places([50, 60, 400, 70, 80, 45], [50, 60, 70, 80, 45])[-1] == ([5], [4])
    assert sorted(bead.cost > 8 for bead in beads)[-2:] == [False, True]


def _cheapest(one: list[int], other: list[int]) -> float:
    """The least cost of all rows of beads there are, one by one."""
    if not one and not other:
        return 0.0
    return min(
        distance(sum(one[:a]), sum(other[:b])) - math.log(prior) + _cheapest(one[a:], other[b:])
        for (a, b), prior in PRIORS.items()
        if a <= len(one) and b <= len(other)
    )


@given(st.lists(st.integers(1, 400), max_size=4), st.lists(st.integers(1, 400), max_size=4))
def test_no_row_of_beads_is_cheaper(one: list[int], other: list[int]) -> None:
    assert sum(bead.cost for bead in align(one, other)) == pytest.approx(_cheapest(one, other))


@given(
    st.lists(st.integers(1, 600), max_size=30),
    st.lists(st.integers(1, 600), max_size=30),
    st.integers(1, 40),
)
def test_every_sentence_is_in_one_bead_in_order(
    one: list[int], other: list[int], band: int
) -> None:
    beads = align(one, other, band=band)
    assert [n for bead in beads for n in bead.one] == list(range(len(one)))
    assert [n for bead in beads for n in bead.other] == list(range(len(other)))
    assert {(len(bead.one), len(bead.other)) for bead in beads} <= set(PRIORS)


def _rows(pairs: list[tuple[int, int]], one: list[int], other: list[int]) -> list[Bead]:
    """Make beads of nltk's pairs of places: pairs that share a place are one bead, a place without a pair is alone."""
    beads, i, j = [], 0, 0
    linked = {a for a, _ in pairs}, {b for _, b in pairs}
    while i < len(one) or j < len(other):
        if i < len(one) and i not in linked[0]:
            bead = Bead(range(i, i + 1), range(j, j), 0)
        elif j < len(other) and j not in linked[1]:
            bead = Bead(range(i, i), range(j, j + 1), 0)
        else:
            ends = [b + 1 for a, b in pairs if a == i], [a + 1 for a, b in pairs if b == j]
            bead = Bead(range(i, max(ends[1])), range(j, max(ends[0])), 0)
        beads.append(bead)
        i, j = bead.one.stop, bead.other.stop
    return beads


@given(LENGTHS, LENGTHS)
def test_nltk_finds_nothing_cheaper_where_it_is_sound(one: list[int], other: list[int]) -> None:
    from nltk.translate.gale_church import align_blocks

    beads = _rows(align_blocks(one, other), one, other)
    cost = sum(
        distance(sum(one[b.one.start : b.one.stop]), sum(other[b.other.start : b.other.stop]))
        - math.log(PRIORS[len(b.one), len(b.other)])
        for b in beads
    )
    assert cost == pytest.approx(sum(bead.cost for bead in align(one, other)), abs=1e-4)


def test_the_band_changes_nothing_while_the_best_row_is_inside() -> None:
    one, other = [30, 80, 55, 20, 90, 41] * 10, [29, 82, 53, 22, 88, 40] * 10
    assert align(one, other, band=1) == align(one, other)


@pytest.mark.parametrize(("one", "other"), list(product([1, 2, 40], [1, 2, 40])))
def test_a_narrow_band_leaves_a_way(one: int, other: int) -> None:
    beads = align([30] * one, [30] * other, band=1)
    assert (beads[-1].one.stop, beads[-1].other.stop) == (one, other)
    assert all(
        a.one.stop == b.one.start and a.other.stop == b.other.start for a, b in pairwise(beads)
    )
