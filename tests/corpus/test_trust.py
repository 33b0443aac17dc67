"""Ranks of kept pairs among those of their corpus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.corpus.trust import FEWEST, SCORES, PairRanking, RankingInput, Trust

Pair = tuple[str, dict[str, float]]
"""Corpus and scores."""


def added(pairs: list[Pair]) -> PairRanking:
    ranking = PairRanking()
    for pair in pairs:
        ranking.add(RankingInput(*pair))
    return ranking


def filled(pairs: list[Pair]) -> list[float | None]:
    """The ranks of pairs, each of which is there ten times."""
    return [trust.rank for trust in added(pairs * 10).trust()][: len(pairs)]


def test_ranks_are_made_within_a_corpus_by_the_mean_of_three_ranks() -> None:
    pairs = [
        ("news", {"overlap": 0.9, "meaning": 0.9, "bertscore.recall": 0.9}),
        ("law", {"overlap": 0.1, "meaning": 0.1, "bertscore.recall": 0.1}),
        ("news", {"overlap": 0.5, "meaning": 0.2, "bertscore.recall": 0.8}),
        ("news", {"overlap": 0.4, "meaning": 0.3, "bertscore.recall": 0.7}),
        ("law", {"overlap": 0.2, "meaning": 0.2, "bertscore.recall": 0.2}),
        ("law", {"overlap": 0.3, "meaning": 0.2, "bertscore.recall": 0.2}),
    ]
    expected = [5 / 6, 1 / 6, 1 / 2, 1 / 6, 1 / 2, 5 / 6]
    assert filled(pairs) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("pairs", "shown"), [(FEWEST - 1, None), (FEWEST, 0.5)])
def test_equal_pairs_have_equal_ranks_and_a_small_corpus_has_none(
    pairs: int, shown: float | None
) -> None:
    same = ("news", dict.fromkeys(SCORES, 0.5))
    other = [("law", {"overlap": n / 100}) for n in range(FEWEST)]
    assert {trust.rank for trust in added([*other, *[same] * pairs]).trust()[FEWEST:]} == {shown}


@pytest.mark.parametrize("scores", [{"overlap": 1.0}, {"overlap": 1.0, "meaning": 0.0}])
def test_a_score_that_a_pair_of_the_corpus_lacks_takes_no_part(scores: dict[str, float]) -> None:
    pairs = [("news", {"overlap": 0.5}), ("news", scores), ("news", {"overlap": 0.7})]
    assert filled(pairs) == pytest.approx([1 / 6, 5 / 6, 1 / 2], abs=1e-6)


@pytest.mark.parametrize(
    ("pairs", "best", "chosen"),
    [(10, 0.33, 3), (10, 0.5, 5), (60, 0.33, 20), (1, 0.1, 1), (3, 0.01, 1), (7, 1.0, 7)],
)
@pytest.mark.parametrize("step", [0, 0.01])
def test_the_best_are_the_rounded_share_of_each_corpus(
    pairs: int, best: float, chosen: int, step: float
) -> None:
    """Of equal pairs (`step` 0) the first ones are chosen, of others the highest."""
    news: list[Pair] = [("news", {"overlap": 0.5 - n * step / 10}) for n in range(pairs)]
    law: list[Pair] = [("law", {"overlap": 0.9})] * 100
    trust = added([*news, *law]).trust(best)
    is_best = [each.is_best for each in trust]
    assert is_best[:pairs] == [True] * chosen + [False] * (pairs - chosen)
    assert sum(is_best[pairs:]) == round(best * 100)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 1), st.floats(0, 1)), max_size=20))
def test_any_order_of_the_pairs_gives_the_same_ranks(pairs: list[tuple[str, float, float]]) -> None:
    whole = [(name, {"overlap": one, "meaning": two}) for name, one, two in pairs] * FEWEST
    ranks = [trust.rank for trust in added(whole).trust()]
    assert ranks == [trust.rank for trust in added(whole[::-1]).trust()][::-1]


def test_without_a_pair_there_is_nothing_to_trust() -> None:
    assert added([]).trust(0.5) == []
    assert added([("news", {})]).trust() == [Trust(None, True)]


def test_the_best_of_a_small_corpus_have_a_rank() -> None:
    trust = added([("news", {"overlap": 0.1}), ("news", {"overlap": 0.2})]).trust(0.5)
    assert trust == [Trust(0.25, False), Trust(0.75, True)]
