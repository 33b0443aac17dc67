"""Equal pairs, groups, references and agreement, compared with what a search of all pairs finds."""

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import factories
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Pair, PairRelation
from bitext_pivot.corpus.pair_relations import EQUAL, PairRelations

Short = tuple[str, str, str]
"""Long sentence, both halves as one text, pivot."""


def pair(number: int, long: str, halves: str, pivot: str) -> Pair:
    first, _, second = halves.partition(" ")
    alignment = replace(
        factories.alignment(long, first, second, number=number),
        source=factories.source(f"C{number % 2}", "en/a.xml"),
    )
    plain = factories.pair(long, first, second)
    return replace(plain, id=f"C/{pivot}:{number}", pivot=pivot, alignment=alignment)


def joints(pairs: Sequence[Short]) -> list[PairRelation]:
    relations = PairRelations(io.BytesIO())
    for number, short in enumerate(pairs):
        relations.add(pair(number, *short))
    return list(relations.relate())


def component(pairs: Sequence[Short], start: int) -> set[int]:
    """Return the numbers of all pairs that a pair is connected with, by searching again and again."""
    members = {start}
    while True:
        longs, halves = {pairs[n][0] for n in members}, {pairs[n][1] for n in members}
        more = {n for n, (long, split, _) in enumerate(pairs) if long in longs or split in halves}
        if more == members:
            return members
        members = more


@pytest.mark.parametrize(("pairs", "equal", "groups", "pivots"), [
    ([], [], [], []),
    ([("L", "a b", "fr")], [], [0], [1]),
    ([("L", "a b", "fr"), ("L", "a b", "es")], [1], [0, 0], [2, 2]),  # once, with both sources
    ([("L", "a b", "fr"), ("L", "a b", "fr")], [1], [0, 0], [1, 1]),  # of two corpora
    ([("L", "a b", "fr"), ("L", "c d", "es")], [], [0, 0], [2, 2]),  # two references
    ([("L", "a b", "fr"), ("M", "a b", "es")], [], [0, 0], [2, 2]),  # the same halves
    ([("L", "a b", "fr"), ("M", "c d", "es")], [], [0, 1], [1, 1]),
    ([("L", "a b", "fr"), ("L", "b a", "fr")], [], [0, 0], [1, 1]),  # the order of the halves counts
    ([("L", "a b", "fr"), ("l", "a b.", "fr")], [], [0, 1], [1, 1]),  # letter by letter
    ([("L", "a b", "fr"), ("M", "c d", "es"), ("L", "c d", "de")], [], [0, 0, 0], [3, 3, 3]),  # the third connects
])  # fmt: skip
def test_pairs_are_equal_or_belong_together(
    pairs: list[Short], equal: list[int], groups: list[int], pivots: list[int]
) -> None:
    found = joints(pairs)
    assert [number for number, joint in enumerate(found) if joint.rejected_by == EQUAL] == equal
    names = list(dict.fromkeys(joint.group for joint in found))
    assert [names.index(joint.group) for joint in found] == groups
    assert [joint.pivots for joint in found] == pivots


def test_the_first_of_equal_pairs_has_the_sources_and_licences_of_all() -> None:
    first, second = joints([("L", "a b", "fr"), ("L", "a b", "es")])
    assert [(one.id, one.corpus, one.licence, one.pivot) for one in first.sources] == [
        ("C/fr:0", "C0", "CC0-1.0", "fr"), ("C/es:1", "C1", "CC0-1.0", "es"),
    ]  # fmt: skip
    assert second == PairRelation(rejected_by=EQUAL, group=first.group, pivots=2)


def test_the_first_pair_of_a_sentence_has_its_splits() -> None:
    found = joints([("L", "c d", "fr"), ("M", "x y", "fr"), ("L", "a b", "es"), ("L", "c d", "de")])
    assert [joint.is_first for joint in found] == [True, True, False, False]
    assert [(one.split, one.ids, one.pivots) for one in found[0].references] == [
        (("c", "d"), ("C/fr:0", "C/de:3"), ("de", "fr")), (("a", "b"), ("C/es:2",), ("es",)),
    ]  # fmt: skip
    assert not any(joint.references for joint in found[1:])


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ABCDEF"),
            st.sampled_from("pqrstu"),
            st.sampled_from(("fr", "es", "de")),
        )
    )
)
def test_groups_are_those_of_a_search_of_all_pairs(pairs: list[Short]) -> None:
    found = joints(pairs)
    for one, other in product(range(len(pairs)), repeat=2):
        assert (found[one].group == found[other].group) == (other in component(pairs, one))
    for number, joint in enumerate(found):
        assert joint.pivots == len({pairs[n][2] for n in component(pairs, number)})
        assert (joint.rejected_by is None) == (
            pairs[number][:2] not in [other[:2] for other in pairs[:number]]
        )


@given(
    st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("pqr"), st.just("fr"))), st.randoms()
)
def test_ids_of_groups_do_not_depend_on_the_order(pairs: list[Short], random: "object") -> None:
    shuffled = sorted(pairs, key=lambda _: random.random())  # type: ignore[attr-defined]
    names = {short: joint.group for short, joint in zip(pairs, joints(pairs), strict=True)}
    assert {
        short: joint.group for short, joint in zip(shuffled, joints(shuffled), strict=True)
    } == names
