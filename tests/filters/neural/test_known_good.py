"""Pairs that are known to be good, and the cut that they give."""

from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.neural.known_good import (
    FALLBACK,
    choose_margin,
    known_good_languages,
    read_known_good,
)


@given(
    st.lists(st.sampled_from([-0.9, -0.5, 0.1, 0.3, 0.8]), min_size=1, max_size=100),
    st.floats(0, 0.5),
)
def test_the_cut_is_the_highest_that_loses_at_most_a_share(
    margins: list[float], lost: float
) -> None:
    limit = choose_margin(margins, lost)
    assert limit in margins
    assert sum(margin < limit for margin in margins) <= lost * len(margins)
    higher = min((margin for margin in margins if margin > limit), default=None)
    assert higher is None or sum(margin < higher for margin in margins) > lost * len(margins)


def test_every_language_has_different_pairs_of_sentences() -> None:
    assert known_good_languages() == ["de", "en", "es", "fr", "nl", "pt"]
    for language in known_good_languages():
        pairs = read_known_good(language)
        assert len(set(pairs)) == len(pairs) >= 30
        for pair in pairs:
            assert all(text == " ".join(text.split()) and text[-1] in ".!?" for text in pair)
    assert read_known_good("it") == read_known_good(FALLBACK)
