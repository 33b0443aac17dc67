"""References move towards an output by its own paraphrases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.research.metrics.ppdb import Paraphrases, rewritten

PPDB = Paraphrases.of(
    ["get rid of\tremove\t0.5", "movie\tfilm", "begin\tstart", "\tempty", "no tab", "big\tlarge"]
)


@pytest.mark.parametrize(("reference", "output", "expected"), [
    ("we remove it", "we get rid of it", "we get rid of it"),
    ("we get rid of it", "we remove it", "we remove it"),  # in both directions
    ("a movie", "a film", "a film"), ("a Movie", "a film", "a Movie"),
    ("a large movie", "a big film", "a large movie"),  # the phrase has no paraphrase, and stays whole
    ("a movie", "a new film", "a film"),  # the second pass: the phrase against single words
    ("start or start", "begin or now", "begin or start"),  # a paraphrase is used once
    ("we left", "we left", "we left"), ("", "film", ""), ("movie", "", "movie"),
])  # fmt: skip
def test_rewriting(reference: str, output: str, expected: str) -> None:
    assert " ".join(rewritten(tuple(reference.split()), tuple(output.split()), PPDB)) == expected


TEXTS = st.lists(
    st.sampled_from(["a", "big", "large", "movie", "film", "start", "begin"]), max_size=6
).map(tuple)


@given(TEXTS, TEXTS)
def test_a_reference_keeps_its_length_and_its_words_without_paraphrases(
    reference: tuple[str, ...], output: tuple[str, ...]
) -> None:
    result = rewritten(reference, output, PPDB)
    assert len(result) == len(reference)
    assert all(new == old or PPDB.has(old, new) for old, new in zip(reference, result, strict=True))
    assert (
        rewritten(reference, output, None)
        == reference
        == rewritten(reference, output, Paraphrases.of([]))
    )
