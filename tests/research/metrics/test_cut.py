"""The blind cut: where it cuts, and that it loses and adds nothing but the words it cuts at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.research.metrics.cut import blind_cut

WORDS = st.sampled_from(["a", "B", ",", "and", "1,000", "who", "ß", "c,", "."])


@pytest.mark.parametrize(("line", "expected"), [
    ("The train was late, and we waited in the cold.", "The train was late . <SEP> We waited in the cold."),
    ("He paid 1,000 francs , which was much , and left .", "He paid 1,000 francs . <SEP> Was much , and left ."),
    ("one two three four five", "one two . <SEP> Three four five"),
    ("Ein Zug, der spät kam, fuhr los.", "Ein Zug, der spät kam . <SEP> Fuhr los."),
    ("Yes, we", "Yes . <SEP> We"),
    ("word", "word"), ("", ""), (", , ,", ", , ,"), ("and b", "and b"),
])  # fmt: skip
def test_a_line_is_cut_nearest_to_its_middle(line: str, expected: str) -> None:
    assert blind_cut(line) == expected


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_two_sentences_have_the_words_of_the_line_in_their_order(line: str) -> None:
    halves = blind_cut(line).split(" . <SEP> ")
    assert len(halves) <= 2 and all(half.strip() for half in halves) or halves == [line]
    following = iter(line.lower().replace("ß", "ss"))
    assert all(letter in following for half in halves for letter in half.lower().replace("ß", "ss"))
