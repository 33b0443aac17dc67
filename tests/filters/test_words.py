"""Words as numbers: equal runs and no others have equal keys, and sets are counted as sets are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filters.words import FIRST, LONG, SECOND, Members, folded, within
from pairs.columns import Words


def keys(runs: list[bytes]) -> list[int]:
    """The keys of runs of bytes that stand in a row."""
    sizes = np.array([len(run) for run in runs], np.int64)
    return list(folded(b"".join(runs), np.cumsum(sizes) - sizes, sizes).tolist())


def test_a_run_of_eight_bytes_is_its_own_key() -> None:
    assert keys([b"12345678", b"7"]) == [int.from_bytes(b"12345678", "little"), ord("7")]


def test_runs_that_share_their_first_or_last_eight_bytes_differ() -> None:
    assert len({*keys([b"12345678", b"123456789", b"12345679", b"012345678", b"12345678" * 2])}) == 5


@given(st.lists(st.text("0123", max_size=20).map(str.encode), min_size=1, max_size=12))
def test_keys_are_equal_where_runs_are(runs: list[bytes]) -> None:
    found = keys(runs)
    assert [found.index(one) for one in found] == [runs.index(run) for run in runs]


SENTENCE = st.frozensets(st.sampled_from("abcdefgh"))


@pytest.mark.parametrize("spread", [1, 1 << 59], ids=["in one number", "too large for one number"])
@given(pairs=st.lists(st.tuples(SENTENCE, SENTENCE, SENTENCE), min_size=1, max_size=5))
def test_memberships_count_as_sets_do(
    spread: int, pairs: list[tuple[frozenset[str], frozenset[str], frozenset[str]]]
) -> None:
    sentences = [sorted(side) * 2 for pair in pairs for side in pair]  # a word that stands twice counts once
    owners = np.repeat(np.arange(len(sentences)), [len(side) for side in sentences])
    words = [word for side in sentences for word in side]
    members = Members(Words.of(words).numbers.astype(np.int64) * spread, owners, len(pairs))
    bits = [
        sum(bit for bit, side in zip((LONG, FIRST, SECOND), pairs[owner // 3], strict=True) if word in side)
        for word, owner in zip(words, owners.tolist(), strict=True)
    ]
    assert members.standing().tolist() == bits
    found = members.counts()
    for counts, (long, first, second) in zip(found, pairs, strict=True):
        one = counts[np.newaxis]
        assert counts[LONG | FIRST] == len((long & first) - second)
        assert counts[SECOND] == len(second - long - first)
        assert within(one, LONG, FIRST) == len(long & first)
        assert within(one, LONG, FIRST | SECOND) == len(long & (first | second))
        assert within(one, FIRST) == len(first)


def test_the_same_word_in_two_pairs_is_two_words() -> None:
    assert Members(np.array([5, 5]), np.array([0, 3]), 2).counts()[:, LONG].tolist() == [1, 1]


def test_words_that_are_not_counted_are_as_if_they_were_not_there() -> None:
    members = Members(np.array([1, 2, 1, 2]), np.array([0, 0, 1, 2]), 1)
    assert members.counts()[0].tolist() == [0, 0, 0, 1, 0, 1, 0, 0]
    assert members.counts(np.array([True, False, True, True]))[0].tolist() == [0, 0, 0, 1, 1, 0, 0, 0]


def test_no_words_are_members_of_nothing() -> None:
    assert Members(np.zeros(0, np.int32), np.zeros(0, np.int64), 2).counts().sum() == 0
