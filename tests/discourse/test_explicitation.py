"""Explicitation on sentences of our own; the four cases follow those of the paper."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discourse.explicitation.markers import connective, has_alternative, is_marked
from discourse.explicitation.senses import pdtb2, sense
from discourse.explicitation.votes import Instance, Reading, read, variants, vote

CONJUNCTION, CAUSE, CONTRAST = "Expansion.Conjunction", "Contingency.Cause", "Comparison.Contrast"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("However, prices rose.", "however"),
        ("„In addition, the bridge is closed“, she said.", "in addition"),
        ("- BUT nobody came.", "but"),
        ("On the other hand it is late.", "on the other hand"),
        ("That’s why it is late.", None),
        ("As a result of the storm, trains were late.", None),
        ("Then, the minister left.", "then"),
        ("Then the minister left.", None),
        ("Prices, however, rose.", None),
        ("Butter is expensive.", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_connective_is_at_the_start(text: str, expected: str | None) -> None:
    assert connective(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("However, prices rose.", True),
        ("Prices, however, rose.", True),
        ("The mayor was ill, too.", True),
        ("The mayor was too ill to come.", False),
        ("She sings as well as her sister.", False),
        ("While it rained, we read.", True),
        ("We read while it rained.", False),
        ("At the end we read.", True),
        ("The baker and the mayor came, but late.", False),
        ("For this reason we stayed.", False),
        ("Prices rose.", False),
        ("", False),
    ],
)
def test_a_marked_sentence_has_a_connective_at_the_start_or_a_linking_adverb(text: str, expected: bool) -> None:
    assert is_marked(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("What’s more, it rained.", True), ("That being said, it rained.", True), ("What more can we say?", False)],
)
def test_a_phrase_in_place_of_a_connective_is_found(text: str, expected: bool) -> None:
    assert has_alternative(text) is expected


@pytest.mark.parametrize(
    ("name", "expected", "older"),
    [
        ("therefore", "Contingency.Cause", "Contingency.Cause"),
        ("in particular", "Expansion.Level-of-detail", "Expansion.Restatement"),
        ("instead", "Expansion.Substitution", "Expansion.Alternative"),
        ("meanwhile", "Temporal.Synchronous", "Temporal.Synchrony"),
        ("similarly", "Comparison.Similarity", None),
        ("obviously", None, None),
    ],
)
def test_a_connective_has_its_most_frequent_sense(name: str, expected: str | None, older: str | None) -> None:
    assert sense(name) == expected
    assert pdtb2(expected or "") == older


ROAD = "Lorries from all over the continent cross our valley."
CASES = [
    ("case 1", "What is more, two towns went to court.", CONJUNCTION, 2, {
        "fr": "Moreover, two towns went to court.", "de": "Moreover, two towns sued.",
        "cs": "Therefore, after all, two towns went to court.",
    }),
    ("case 2", "For this reason, along with the plan, I ask for more research.", CAUSE, 2, {
        "fr": "Also, with the plan, I ask for research.", "de": "Therefore I ask for more research.",
        "cs": "Therefore, along with the plan, I want research.",
    }),
    ("case 3", "That being said, I cannot speak for the court.", None, 1, {
        "fr": "However, I cannot speak for the court.", "de": "Therefore I cannot speak for it.",
        "cs": "In addition, I cannot speak for the court.",
    }),
    ("case 4", "What is more, the situation is less simple than it seems.", None, 1, {
        "fr": "But there is more: it is less simple.", "de": "The situation is less simple.", "cs": "It is not simple.",
    }),
]  # fmt: skip


@pytest.mark.parametrize(
    ("second", "expected", "most", "back"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_the_paper_s_cases(second: str, expected: str | None, most: int, back: dict[str, str]) -> None:
    instance = read(ROAD, second, back, "faithful", merge_contrast=True)
    assert isinstance(instance, Instance)
    assert instance.has_alternative
    assert vote(instance.readings, 2) == expected
    assert max(Counter(reading.sense for reading in instance.readings).values()) == most
    assert read(ROAD, second, back, "strict") == "alternative"


def test_contrast_and_concession_are_one_sense_on_request() -> None:
    back = {"de": "But it rained.", "fr": "On the other hand, it rained."}
    apart, merged = (read("We left.", "It rained.", back, "strict", merge_contrast=merge) for merge in (False, True))
    assert isinstance(apart, Instance)
    assert isinstance(merged, Instance)
    assert vote(apart.readings, 2) is None
    assert vote(merged.readings, 2) == CONTRAST


@pytest.mark.parametrize(
    ("second", "back", "profile", "reason"),
    [
        ("Prices, however, rose.", {"de": "However, prices rose."}, "faithful", "marked"),
        ("Prices rose.", {"de": "Prices rose.", "fr": "The prices rose."}, "faithful", "not_explicit"),
        ("Prices rose.", {"de": "And prices rose."}, "strict", "not_explicit"),
        ("Prices rose.", {"de": "Fortunately, prices rose."}, "faithful", "no_sense"),
        ("Prices rose.", {}, "faithful", "not_explicit"),
    ],
)
def test_a_pair_without_an_instance_has_a_reason(second: str, back: dict[str, str], profile: str, reason: str) -> None:
    assert read("Wages fell.", second, back, profile) == reason  # type: ignore[arg-type]


def test_the_data_sets_of_table_1() -> None:
    back = {"fr": "And it rained.", "de": "In addition, it rained.", "cs": "Therefore it rained.", "es": "It rained."}
    instance = read("We left.", "It rained.", back, "faithful")
    assert isinstance(instance, Instance)
    assert variants(instance, ["fr", "de", "cs"]) == {
        "fr": (CONJUNCTION,),
        "de": (CONJUNCTION,),
        "cs": (CAUSE,),
        "all": (CONJUNCTION, CONJUNCTION, CAUSE),
        "2-votes": (CONJUNCTION,),
        "3-votes": (),
    }


READINGS = st.lists(
    st.builds(Reading, language=st.sampled_from("abcd"), connective=st.just("x"), sense=st.sampled_from("STU"))
)


@given(readings=READINGS, minimum=st.integers(1, 5), order=st.randoms())
def test_a_vote_depends_on_no_order_and_more_votes_only_drop(readings: list[Reading], minimum: int, order) -> None:
    label = vote(readings, minimum)
    shuffled = list(readings)
    order.shuffle(shuffled)
    assert vote(shuffled, minimum) == label
    assert vote(readings, minimum + 1) in {label, None}
