"""The diff is BiSECT's, and the split's place survives paraphrase."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.syntax.labelling.diffs import Block, diff_tokens, find_split_position

FEW = st.lists(st.sampled_from("abcd."), max_size=14)
MANY = st.lists(st.sampled_from([f"w{n}" for n in range(40)]), unique=True, max_size=20)


def test_the_longest_run_is_kept_and_deletion_precedes_insertion() -> None:
    assert diff_tokens(["a", "b", "c", "d"], ["x", "b", "c", "a", "e"]) == [
        Block("-", 0, 1, 0, 0), Block("+", 1, 1, 0, 1), Block("=", 1, 3, 1, 3), Block("-", 3, 4, 3, 3),
        Block("+", 4, 4, 3, 5),
    ]  # fmt: skip


def test_of_equal_runs_the_earliest_new_one_is_kept() -> None:
    assert diff_tokens(["a", "b"], ["b", "a"]) == [
        Block("-", 0, 1, 0, 0),
        Block("=", 1, 2, 0, 1),
        Block("+", 2, 2, 1, 2),
    ]


@pytest.mark.parametrize(("size", "count"), [(500, 750), (501, 2)])
def test_very_long_sequences_are_replaced_as_a_whole(size: int, count: int) -> None:
    old = [token for n in range(size) for token in (f"w{n}", f"a{n}")][:size]
    new = [token for n in range(size) for token in (f"w{n}", f"b{n}")][:size]
    assert len(diff_tokens(old, new)) == count


@given(FEW, FEW)
def test_blocks_cover_both_sides_in_order(old: list[str], new: list[str]) -> None:
    found = diff_tokens(old, new)
    assert [t for b in found for t in old[b.old_start : b.old_end]] == old
    assert [t for b in found for t in new[b.new_start : b.new_end]] == new


@given(MANY, st.integers(0, 20))
def test_a_split_that_changes_nothing_is_found_where_it_is(long: list[str], at: int) -> None:
    at = min(at, len(long))
    assert find_split_position(long, long[:at], long[at:]) == at


@given(FEW, FEW, FEW)
def test_the_split_is_never_outside_the_sentence(
    long: list[str], first: list[str], second: list[str]
) -> None:
    assert 0 <= find_split_position(long, first, second) <= len(long)


PLACES = [
    # what stands at the split goes to the right; the mark before it to the left
    ("the roof leaks , and the cellar is wet .", "The roof leaks .", "The cellar is wet .", "and"),
    (
        "the roof leaks ; the cellar is wet .",
        "The roof leaks .",
        "The cellar is wet .",
        "the cellar",
    ),
    ("we took a taxi which was late .", "We took a taxi .", "It was late .", "which"),
    # a quotation mark or bracket that opens goes to the right, one that closes to the left, whatever it is in English
    (
        "„ ja gern “ , sagte sie , und er ging .",
        "„ ja gern “ , sagte sie .",
        "und er ging .",
        "und er",
    ),
    (
        "er rief „ komm herein “ und sie kam .",
        "er rief „ komm herein “",
        "und sie kam .",
        "und sie",
    ),
    (
        "er rief » komm herein « und sie kam .",
        "er rief » komm herein «",
        "und sie kam .",
        "und sie",
    ),
    ("er ging leise : » komm herein « .", "er ging leise .", "» komm herein « .", "» komm"),
    ("il est parti : « viens avec moi » .", "il est parti .", "« viens avec moi » .", "« viens"),
    ("se fue tarde . ¿ quieres venir ?", "se fue tarde .", "¿ quieres venir ?", "¿ quieres"),
    ('he stood up : " come in now . "', "He stood up .", '" Come in now . "', '" come'),
    # turned round: the clause that came first is still first
    (
        "although it rained hard , they played on .",
        "It rained hard .",
        "However , they played on .",
        "they",
    ),
    # in a paraphrase the words that only one half has decide, not the accidental matches of the diff
    (
        "the harbour was shut for the winter ; whereas boats for tourists sailed from the old quay in the town .",
        "In the winter nobody used the harbour .",
        "The town let boats with tourists sail from another quay .",
        "whereas",
    ),
    # among words that neither half has, a mark decides
    (
        "the dogs bark loudly ; somewhere bells ring .",
        "The dogs bark .",
        "Bells ring .",
        "somewhere",
    ),
    (
        "the dogs bark loudly : somewhere bells ring .",
        "The dogs bark .",
        "Bells ring .",
        "somewhere",
    ),
    (
        "the dogs bark loudly , somewhere bells ring .",
        "The dogs bark .",
        "Bells ring .",
        "somewhere",
    ),
    # or else the length of the sentences
    ("what fun we had in the old mill .", "Nobody was sad .", "It stood .", "the"),
    ("what fun we had in the old mill .", "Fine .", "The walls stood there .", "had"),
    # the mark at the end of the text divides nothing
    (
        "Farms send samples weekly ; owners pay ;",
        "Weekly samples are sent by farms .",
        "The owner 's bill follows .",
        "owners",
    ),
    # words whose order the halves turn round
    (
        "bread costs little , cheese costs plenty .",
        "Little costs bread .",
        "Plenty costs cheese .",
        "cheese",
    ),
    # endings and spelling do not hide a word; short words tell nothing
    (
        "cheap authorisations reach informed people",
        "Authorization costs little .",
        "Information pays .",
        "informed",
    ),
    (
        "authorisations and documents reach people .",
        "Authorization is documentation .",
        "People agree .",
        "reach",
    ),
    (
        "we rested at noon and to win took real nerve .",
        "We went to rest at noon .",
        "Winning took real nerve .",
        "win",
    ),
    # a sentence that ended in long, and a dash
    (
        "the dogs bark loudly. somewhere bells ring .",
        "The dogs bark .",
        "Bells ring .",
        "somewhere",
    ),
    (
        "the dogs bark loudly — somewhere bells ring .",
        "The dogs bark .",
        "Bells ring .",
        "somewhere",
    ),
]


@pytest.mark.parametrize(("long", "first", "second", "right"), PLACES)
def test_the_split_falls_before(long: str, first: str, second: str, right: str) -> None:
    tokens = long.split()
    at = find_split_position(tokens, first.split(), second.split())
    assert " ".join(tokens[at:]).startswith(right)


def test_a_token_that_opens_a_clause_is_preferred() -> None:
    long = ["guests", "leave", "at", "noon", "unless", "they", "paid", "for", "longer"]
    halves = (
        ["Guests", "leave", "at", "noon", "."],
        ["Whoever", "paid", "for", "longer", "stays", "."],
    )
    assert find_split_position(long, *halves, position_scores={4: 1}) == 4
    assert find_split_position(long, *halves, position_scores={5: 1}) == 5


def test_a_place_barred_by_the_parse_is_left() -> None:
    long, halves = ["dogs", "bark", ",", "bells", "ring", "loud"], (["Dogs"], ["Loud"])
    assert find_split_position(long, *halves) == 3
    assert find_split_position(long, *halves, position_scores={3: -4}) == 4


def test_a_run_of_short_words_that_is_kept_counts_little() -> None:
    long = ["they", "met", "jugglers", "behind", "halls", "in", "a", "village"]
    halves = ["They", "met", "jugglers", "in", "a", "tent", "."], ["Halls", "rose", "nearby", "."]
    assert " ".join(long[find_split_position(long, *halves) :]) == "halls in a village"


@pytest.mark.parametrize(
    ("long", "first", "second", "at"),
    [
        ([], [], [], 0),
        (["a"], [], ["a"], 0),
        (["a"], ["a"], [], 1),
        (["a"], ["b"], ["c"], 0),
        (["."], ["."], ["."], 0),
    ],
)
def test_the_ends_are_places_too(
    long: list[str], first: list[str], second: list[str], at: int
) -> None:
    assert find_split_position(long, first, second) == at
