"""What a span says that the other side does not, the store, what is refused."""

import pytest
from factories import unparsed
from pydantic import ValidationError

from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.meaning import MeaningFilter

LONG = "The baker , who is old , opened the window ."
FIRST, SECOND = "The baker is old .", "He opened the window ."
STRANGER = "Interest rates rose sharply in March ."
GOOD, *BAD = PAIRS = [
    unparsed(LONG, *halves) for halves in ((FIRST, SECOND), (FIRST, STRANGER), (STRANGER, SECOND))
]


def test_parts_are_the_weakest_spans_of_halves_and_long(runtime: Runtime) -> None:
    loaded = MeaningFilter().encoder(runtime)
    sides = [(FIRST, (LONG,)), (SECOND, (LONG,)), (LONG, (FIRST, SECOND))]
    first, second, long = (round(number, 6) for number in loaded.weakest_spans(sides, 1))
    expected = {"score": min(first, second, long), "first": first, "second": second, "long": long}
    assert MeaningFilter().scores_by_name([GOOD], runtime) == [expected]
    assert expected.keys() == {"score", *MeaningFilter.PARTS}
    assert len({first, second, long}) == 3


CLAUSE = "and interest rates rose sharply in the whole of March ."
ADDED = {
    "to long": unparsed(f"{LONG.removesuffix('.')} {CLAUSE}", FIRST, SECOND),
    "to the first half": unparsed(LONG, f"{FIRST.removesuffix('.')} {CLAUSE}", SECOND),
    "to the second half": unparsed(LONG, FIRST, f"{SECOND.removesuffix('.')} {CLAUSE}"),
}


@pytest.mark.parametrize("where", ADDED)
def test_a_clause_that_one_side_alone_has_is_found(where: str, runtime: Runtime) -> None:
    part = {"to long": "long", "to the first half": "first", "to the second half": "second"}[where]
    (parts,) = MeaningFilter().scores_by_name([ADDED[where]], runtime)
    assert not MeaningFilter().accepts(parts["score"])
    assert parts["score"] == parts[part]


def test_a_strange_half_is_rejected_whichever_it_is(runtime: Runtime) -> None:
    assert [MeaningFilter().accepts(score) for score in MeaningFilter().score(PAIRS, runtime)] == [
        True,
        False,
        False,
    ]


def test_the_threshold_is_no_part_of_what_is_measured(runtime: Runtime) -> None:
    assert [MeaningFilter(min_similarity=0.4).accepts(score) for score in (0.39, 0.4, 0.41)] == [
        False,
        True,
        True,
    ]
    assert MeaningFilter(min_similarity=0.9).score_settings() == MeaningFilter().score_settings()
    assert MeaningFilter(min_similarity=0.9).signature(runtime) == MeaningFilter().signature(
        runtime
    )
    assert MeaningFilter(layer=5, min_similarity=0.4).signature(
        runtime
    ) != MeaningFilter().signature(runtime)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"model": "no-such-model"},
            r"no default layer for the encoder 'no-such-model'\. Set `layer`, or choose one",
        ),
        (
            {"layer": 3},
            "There is no measured minimum similarity for .* with this layer. Set `min_similarity`",
        ),
        (
            {"model": "roberta-large"},
            "There is no measured minimum similarity for the encoder 'roberta-large'",
        ),
    ],
)
def test_a_guess_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        MeaningFilter.model_validate(settings)
