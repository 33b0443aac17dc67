"""Pairs that are known to be good, and the cut that they give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.neural.known_good import FALLBACK, cut, known_good, known_languages


@pytest.mark.parametrize(
    ("margins", "lost", "expected"),
    [
        ([0.5], 0.0, 0.5),
        ([0.5], 0.5, 0.5),
        ([0.3, -0.9, 0.8, 0.1], 0.0, -0.9),
        ([0.3, -0.9, 0.8, 0.1], 0.24, -0.9),
        ([0.3, -0.9, 0.8, 0.1], 0.25, 0.1),
        ([0.3, -0.9, 0.8, 0.1], 0.5, 0.3),
        ([0.1] * 99 + [-0.9], 0.02, 0.1),
        ([-0.5] * 3 + [0.1] * 97, 0.02, -0.5),
    ],
)
def test_the_cut_is_the_highest_that_loses_a_share(
    margins: list[float], lost: float, expected: float
) -> None:
    assert cut(margins, lost) == expected


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=60),
    st.floats(0, 0.5),
)
def test_a_cut_loses_at_most_the_share(margins: list[float], lost: float) -> None:
    limit = cut(margins, lost)
    assert limit in margins
    assert sum(margin < limit for margin in margins) <= lost * len(margins)


def test_every_language_has_different_pairs_of_sentences() -> None:
    assert known_languages() == ["de", "en", "es", "fr", "nl", "pt"]
    for language in known_languages():
        pairs = known_good(language)
        assert len(set(pairs)) == len(pairs) >= 30
        for pair in pairs:
            assert all(text == " ".join(text.split()) and text[-1] in ".!?" for text in pair)
    assert known_good("it") == known_good(FALLBACK)
