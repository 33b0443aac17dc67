"""Ranks of kept pairs among those of their corpus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.corpus.trust import SCORES, Ranked, Ranking


def ranked(pairs: list[tuple[str, str, dict[str, float]]], best: float = 1) -> list[float]:
    """The ranks of pairs given as corpus, category and scores."""
    return [trust.rank for trust in added(pairs).trust(best)]


def added(pairs: list[tuple[str, str, dict[str, float]]]) -> Ranking:
    ranking = Ranking()
    for pair in pairs:
        ranking.add(Ranked(*pair))
    return ranking


def test_ranks_are_made_within_a_corpus_by_the_mean_of_three_ranks() -> None:
    pairs = [
        ("news", "A", {"overlap": 0.9, "meaning": 0.9, "bertscore.recall": 0.9}),
        ("law", "A", {"overlap": 0.1, "meaning": 0.1, "bertscore.recall": 0.1}),
        ("news", "B", {"overlap": 0.5, "meaning": 0.2, "bertscore.recall": 0.8}),
        ("news", "B", {"overlap": 0.4, "meaning": 0.3, "bertscore.recall": 0.7}),
        ("law", "A", {"overlap": 0.2, "meaning": 0.2, "bertscore.recall": 0.2}),
    ]
    assert ranked(pairs) == pytest.approx([5 / 6, 1 / 4, 1 / 2, 1 / 6, 3 / 4], abs=1e-6)


def test_equal_pairs_have_equal_ranks() -> None:
    same = ("news", "A", dict.fromkeys(SCORES, 0.5))
    assert ranked([same, same, same]) == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("scores", [{"overlap": 1.0}, {"overlap": 1.0, "meaning": 0.0}])
def test_a_score_that_a_pair_of_the_corpus_lacks_takes_no_part(scores: dict[str, float]) -> None:
    assert ranked([("news", "A", {"overlap": 0.5}), ("news", "A", scores)]) == [0.25, 0.75]


def test_the_best_share_is_that_of_each_category() -> None:
    pairs = [("news", "AB"[n % 2], {"overlap": n / 10}) for n in range(8)]
    best = [trust.is_best for trust in added(pairs).trust(0.5)]
    assert best == [False] * 4 + [True] * 4
    assert all(trust.is_best for trust in added(pairs).trust())


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 1), st.floats(0, 1)), max_size=20))
def test_any_order_of_the_pairs_gives_the_same_ranks(pairs: list[tuple[str, float, float]]) -> None:
    whole = [(name, "A", {"overlap": one, "meaning": two}) for name, one, two in pairs]
    assert ranked(whole) == ranked(whole[::-1])[::-1]
