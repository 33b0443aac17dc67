"""Halves cut short: the signs counted by hand, the weights, the odds."""

import math

import pytest
from factories import flat, parsed

from bitext_pivot.core.records import ParsedPair
from bitext_pivot.filters.truncated import FEATURES, TruncatedFilter, truncation_features
from bitext_pivot.filters.view import View

LONG = (
    "The/DET old/ADJ cat/NOUN slept/VERB on/ADP the/DET warm/ADJ roof/NOUN ,/PUNCT while/SCONJ "
    "two/NUM dogs/NOUN ran/VERB through/ADP the/DET garden/NOUN behind/ADP our/PRON house/NOUN ./PUNCT"
)
FIRST = "The/DET old/ADJ cat/NOUN slept/VERB on/ADP the/DET warm/ADJ roof/NOUN ./PUNCT"
SECOND = "Two/NUM dogs/NOUN ran/VERB through/ADP the/DET garden/NOUN behind/ADP our/PRON house/NOUN ./PUNCT"


def made(first: str, second: str, long: str = LONG) -> ParsedPair:
    return parsed(flat(long), flat(first), flat(second))


def odds(first: str, second: str) -> float:
    (score,) = TruncatedFilter().score([made(first, second)])
    assert score is not None
    return score


def of_half(number: int, first: str, second: str) -> dict[str, float]:
    return dict(zip(FEATURES, truncation_features(View(made(first, second)))[number], strict=True))


def test_of_a_whole_half_nothing_is_missing() -> None:
    assert of_half(1, FIRST, SECOND) == {
        "ends open": 0, "ratio": 19 / 20, "other's excess": 0, "tail": 0, "other's missing": 0,
        "length": 0, "other's new": 0, "missing": 0, "part": 0.5,
    }  # fmt: skip


def test_a_cut_half_ends_open_and_leaves_words_unsaid() -> None:
    found = of_half(1, FIRST, "Two/NUM dogs/NOUN ran/VERB through/ADP the/DET ./PUNCT")
    assert found["ends open"] == 1  # in "the"
    assert (found["tail"], found["missing"]) == (2, 2)  # garden, house
    assert found["ratio"] == 15 / 20
    assert found["length"] == pytest.approx(math.log(6 / 10))  # of 10 from "two" on
    assert (
        of_half(0, FIRST, "Two/NUM dogs/NOUN ran/VERB through/ADP the/DET ./PUNCT")[
            "other's missing"
        ]
        == 2
    )


def test_words_of_a_half_alone_are_set_against_missing_ones() -> None:
    found = of_half(1, FIRST, "Two/NUM dogs/NOUN ran/VERB around/ADV outside/ADV ./PUNCT")
    assert found["missing"] == 0  # garden and house, less around and outside
    assert (
        of_half(0, FIRST, "Two/NUM dogs/NOUN ran/VERB around/ADV outside/ADV ./PUNCT")[
            "other's new"
        ]
        == 2
    )


def test_a_half_longer_than_its_part_is_in_excess() -> None:
    wordy = f"{SECOND.removesuffix(' ./PUNCT')} {'indeed/X ' * 11}./PUNCT"
    # The text is cut from "two" on.
    assert of_half(0, FIRST, wordy)["other's excess"] == pytest.approx(math.log(21 / 10))


CUTS = {
    "whole": SECOND,
    "behind a noun": "Two/NUM dogs/NOUN ran/VERB through/ADP the/DET garden/NOUN ./PUNCT",
    "behind an article": "Two/NUM dogs/NOUN ran/VERB through/ADP the/DET ./PUNCT",
    "in its beginning": "Two/NUM ./PUNCT",
}


def test_the_odds_grow_with_what_is_cut() -> None:
    found = [odds(FIRST, second) for second in CUTS.values()]
    assert found == sorted(found)
    assert [TruncatedFilter().accepts(score) for score in found] == [True, True, False, False]


def test_the_half_that_was_cut_counts_whichever_it_is() -> None:
    whole = odds(FIRST, SECOND)
    assert odds("The/DET old/ADJ cat/NOUN slept/VERB on/ADP ./PUNCT", SECOND) > 3 > whole


@pytest.mark.parametrize("sides", [("a/X", "b/X"), ("./PUNCT", "./PUNCT"), ("cat/NOUN", "./PUNCT")])
def test_sentences_without_content_have_odds_too(sides: tuple[str, str]) -> None:
    (score,) = TruncatedFilter().score([made(*sides, long="it/PRON is/AUX")])
    assert score is not None and math.isfinite(score)
