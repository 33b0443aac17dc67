"""Words as numbers: equal words and no others have equal keys, and sets are counted as sets are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from filters.words import FIRST, LONG, SECOND, Members, key, keys, within

WORDS = st.lists(st.text("abé中\U0001f600Z", max_size=20), max_size=8)


def test_a_word_of_eight_bytes_is_its_own_key() -> None:
    assert key("abcdefgh") == int.from_bytes(b"abcdefgh", "little")
    assert key("é") == int.from_bytes("é".encode(), "little")


def test_words_that_share_their_first_or_last_eight_letters_differ() -> None:
    assert len({key(word) for word in ("abcdefgh", "abcdefghi", "abcdefgi", "xabcdefgh", "abcdefgh" * 2)}) == 5


@given(st.lists(WORDS, max_size=5))
def test_keys_are_equal_where_words_are(columns: list[list[str]]) -> None:
    words = [word for column in columns for word in column]
    found = keys(columns).tolist()
    assert len(found) == len(words)
    assert [found.index(one) for one in found] == [words.index(word) for word in words]


def test_case_counts_unless_it_is_folded() -> None:
    assert keys([["Straße"], ["STRASSE", "straße"]]).tolist() != keys([["straße"], ["strasse", "straße"]]).tolist()
    folded = keys([["Straße", "ΟΔΟΣ"], ["STRASSE", "straße"]], fold=True).tolist()
    assert folded == keys([["straße", "ΟΔΟΣ".lower(), "strasse", "straße"]]).tolist()


def test_a_word_with_the_separator_in_it_is_still_one_word() -> None:
    assert keys([["a\0b", "c"]]).tolist() == keys([["a\ufffdb", "c"]]).tolist()


def test_no_words_have_no_keys() -> None:
    assert keys([]).size == keys([[], []]).size == 0


SENTENCE = st.frozensets(st.sampled_from("abcdefgh"))


@given(st.lists(st.tuples(SENTENCE, SENTENCE, SENTENCE), min_size=1, max_size=5))
def test_memberships_count_as_sets_do(pairs: list[tuple[frozenset[str], frozenset[str], frozenset[str]]]) -> None:
    sentences = [sorted(side) * 2 for pair in pairs for side in pair]  # a word that stands twice counts once
    owners = np.repeat(np.arange(len(sentences)), [len(side) for side in sentences])
    found = Members(keys(sentences), owners, len(pairs)).counts()
    for counts, (long, first, second) in zip(found, pairs, strict=True):
        one = counts[np.newaxis]
        assert counts[LONG | FIRST] == len((long & first) - second)
        assert counts[SECOND] == len(second - long - first)
        assert within(one, LONG, FIRST) == len(long & first)
        assert within(one, LONG, FIRST | SECOND) == len(long & (first | second))
        assert within(one, FIRST) == len(first)


def test_the_same_word_in_two_pairs_is_two_words() -> None:
    assert Members(keys([["a"], ["a"]]), np.array([0, 3]), 2).counts()[:, LONG].tolist() == [1, 1]
