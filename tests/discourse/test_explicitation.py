"""Explicitation on sentences of our own; the four cases follow those of the paper."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.explicitation import markers
from bitext_pivot.discourse.explicitation.markers import (
    are_sentences,
    find_connective,
    has_alternative,
    has_cue,
    has_short_opening,
    is_marked,
)
from bitext_pivot.discourse.explicitation.senses import most_frequent_sense, to_pdtb2
from bitext_pivot.discourse.explicitation.votes import (
    ExplicitationSettings,
    majority_sense,
    sense_by_data_set,
)
from bitext_pivot.discourse.explicitation_records import RelationReading

STRICT, FAITHFUL = ExplicitationSettings(), ExplicitationSettings(profile="faithful")
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
        ("Prices, however, rose.", "however"),
        ("Prices rose, on the other hand, in June.", "on the other hand"),
        ("Prices rose however often we asked.", None),
        ("We met a man who, however, sold bread.", None),
        ("It rained, but the show, nevertheless, began.", None),
        ("But also the prices rose.", "but also"),
        ("Then again, it may rain.", "then again"),
        ("Butter is expensive.", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_connective_is_at_the_start(text: str, expected: str | None) -> None:
    assert find_connective(text) == expected


@pytest.mark.parametrize("listed", [("then", "then again"), ("then again", "then")])
def test_of_two_phrases_the_longest_counts(
    listed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markers, "_list_phrases", lambda *kinds: listed)
    assert find_connective("Then again it may rain.") == "then again"
    assert find_connective("Then it may rain again.") == "then"


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
        ("We stayed, though.", True),
        ("Though we stayed, it was late.", True),
        ("The south, in comparison, was dry.", True),
        ("Nobody came either.", True),
        ("Summing up, it was dry.", True),
        ("The baker and the mayor came, but late.", False),
        ("For this reason we stayed.", False),
        ("Prices rose.", False),
        ("", False),
    ],
)
def test_a_marked_sentence_has_a_connective_or_linking_adverb(text: str, expected: bool) -> None:
    assert is_marked(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What’s more, it rained.", True),
        ("That being said, it rained.", True),
        ("In spite of it, we stayed.", True),
        ("Because of these storms, trains were late.", True),
        ("From then on, we stayed.", True),
        ("The main reason is the rain.", True),
        ("This is the result of a long drought.", True),
        ("What more can we say?", False),
        ("In spite of the rain, we stayed.", False),
        ("The reasonable ones stayed.", False),
        ("The rain is the reason.", False),
    ],
)
def test_a_phrase_in_place_of_a_connective_is_found(text: str, expected: bool) -> None:
    assert has_alternative(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Concretely, prices rose.", True),
        ("In addiiton, prices rose.", True),
        ("“As it happens, prices rose”, she said.", True),
        ("Prices rose, she said.", True),
        ("Prices of bread rose, she said.", False),
        ("Prices rose.", False),
        (", and", False),
    ],
)
def test_a_short_phrase_before_a_comma_is_an_opening(text: str, expected: bool) -> None:
    assert has_short_opening(text) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("They refuse to talk, but we may come in.", CONTRAST, True),
        ("They refuse to talk, but we may come in.", CAUSE, False),
        ("It fell because of the storm.", CAUSE, True),
        ("The butler came.", CONTRAST, False),
        ("Apart from the rain, it was cold.", "Expansion.Conjunction", True),
    ],
)
def test_a_cue_can_express_a_sense_inside_the_sentence(
    text: str, name: str, expected: bool
) -> None:
    assert has_cue(text, name) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("It rained.", "We stayed.", True),
        ("“Did it rain?”", "»Élan vital!«", True),
        ("It rained …", "12 of us stayed.", True),
        ("Prices rose (in towns", "including ours).", False),
        ("Prices rose in towns", "We stayed.", False),
        ("It rained.", "and we stayed.", False),
        ("It rained.", "We stayed and", False),
        ("While the euro is strong.", "We stayed.", False),
        ("While the prices of oil rose in the north.", "We stayed.", False),
        ("Although it rained.", "We stayed.", False),
        ("Though the lamps were old.", "We stayed.", False),
        ("Whereas the others left.", "We stayed.", False),
        ("Unless these amendments are supported tomorrow.", "We stayed.", False),
        ("Because they know what it means and why it matters.", "We stayed.", False),
        ("While it rained, we slept.", "We stayed.", True),
        ("While it rained we slept.", "We stayed.", True),
        ("Although the system will cost a lot it will save more.", "We stayed.", True),
        ("Because it rained, we slept.", "We stayed.", True),
        ("Because of the rain they slept.", "We stayed.", True),
        ("Though old, the lamps don't break and cost little.", "We stayed.", True),
        ("While you are here?", "We stayed.", True),
        ("Meanwhile it rained.", "We stayed.", True),
        ("", "", False),
    ],
)
def test_two_whole_sentences_are_told_from_fragments(
    first: str, second: str, expected: bool
) -> None:
    assert are_sentences(first, second) is expected


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
def test_a_connective_has_its_most_frequent_sense(
    name: str, expected: str | None, older: str | None
) -> None:
    assert most_frequent_sense(name) == expected
    assert to_pdtb2(expected or "") == older


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
def test_the_paper_s_cases(
    second: str, expected: str | None, most: int, back: dict[str, str]
) -> None:
    assert FAITHFUL.absence(ROAD, second) is None
    readings, _ = FAITHFUL.readings(second, back)
    assert has_alternative(second)
    assert majority_sense(readings, 2) == expected
    assert max(Counter(reading.sense for reading in readings).values()) == most
    assert STRICT.absence(ROAD, second) == "alternative"


def test_contrast_and_concession_are_one_sense_by_default() -> None:
    back = {"de": "But it rained.", "fr": "By contrast, it rained."}
    merged, apart = (
        ExplicitationSettings(merge_contrast=merge).readings("It rained.", back)
        for merge in (True, False)
    )
    assert majority_sense(merged.readings, 2) == CONTRAST
    assert apart.rejected_by == "votes"


@pytest.mark.parametrize(
    ("first", "second", "faithful", "strict"),
    [
        ("Wages fell.", "Prices rose.", None, None),
        ("Wages fell.", "Prices, however, rose.", "marked", "marked"),
        ("Wages fell", "Prices rose.", None, "fragment"),
        ("Wages fell.", "For this reason prices rose.", None, "alternative"),
        ("Wages fell.", "In June, prices rose.", None, "alternative"),
    ],
)
def test_an_original_that_is_no_candidate_has_a_reason(
    first: str, second: str, faithful: str | None, strict: str | None
) -> None:
    assert (FAITHFUL.absence(first, second), STRICT.absence(first, second)) == (faithful, strict)


@pytest.mark.parametrize(
    ("second", "back", "faithful", "strict"),
    [
        ("Prices rose.", {"de": "Prices rose.", "fr": "The prices rose."}, "not_explicit", "not_explicit"),
        ("Prices rose.", {}, "not_explicit", "not_explicit"),
        ("Prices rose.", {"de": "And prices rose.", "fr": "And prices rose."}, CONJUNCTION, "not_explicit"),
        ("Prices rose.", {"de": "Fortunately, prices rose."}, "unreliable", "unreliable"),
        ("Prices rose.", {"de": "For example, prices rose.", "fr": "For instance, prices rose."},
         "Expansion.Instantiation", "unreliable"),
        ("Prices rose, but not here.", {"de": "But prices rose.", "fr": "However, prices rose."}, CONTRAST, "cue"),
        ("However prices rose.", {"de": "But prices rose.", "fr": "However, prices rose."}, "self-check", "self-check"),
        ("Prices rose.", {"de": "But prices rose.", "fr": "Therefore prices rose."}, None, "votes"),
        ("Prices rose.", {"de": "But prices rose.", "fr": "However, prices rose."}, CONTRAST, CONTRAST),
        ("Prices rose.", {"de": "But prices rose.", "fr": "But prices rose.", "es": "Thus prices rose."},
         CONTRAST, "votes"),
        ("Prices rose.", {"de": "But also prices rose.", "fr": "But also prices rose."}, CONJUNCTION, "unreliable"),
        ("Prices rose.", {"de": "Accordingly, prices rose.", "fr": "So, prices rose."}, CAUSE, "unreliable"),
    ],
)  # fmt: skip
def test_readings_give_a_sense_or_a_reason(
    second: str, back: dict[str, str], faithful: str | None, strict: str | None
) -> None:
    results = (settings.readings(second, back) for settings in (FAITHFUL, STRICT))
    assert [result.rejected_by or majority_sense(result.readings, 2) for result in results] == [
        faithful,
        strict,
    ]


def test_the_data_sets_of_table_1() -> None:
    back = {
        "fr": "And it rained.",
        "de": "In addition, it rained.",
        "cs": "Therefore it rained.",
        "es": "It rained.",
    }
    readings, _ = FAITHFUL.readings("It rained.", back)
    names = ["fr", "de", "cs"]
    expected = {
        "all": CONJUNCTION,
        "fr": CONJUNCTION,
        "de": CONJUNCTION,
        "cs": CAUSE,
        "2-votes": CONJUNCTION,
    }
    assert sense_by_data_set(readings, names) == expected
    assert sense_by_data_set(readings[1:], names) == {"all": "", "de": CONJUNCTION, "cs": CAUSE}
    assert FAITHFUL.data_sets(names) == [*expected, "3-votes"]
    assert STRICT.data_sets(names) == ["2-votes", "3-votes"]


READINGS = st.lists(
    st.builds(
        RelationReading,
        language=st.sampled_from("abcd"),
        connective=st.just("x"),
        sense=st.sampled_from("STU"),
        sense_pdtb2=st.just(""),
    )
)


@given(readings=READINGS, minimum=st.integers(1, 5), order=st.randoms())
def test_a_vote_depends_on_no_order(
    readings: list[RelationReading], minimum: int, order: Random
) -> None:
    label = majority_sense(readings, minimum)
    shuffled = list(readings)
    order.shuffle(shuffled)
    assert majority_sense(shuffled, minimum) == label
    assert majority_sense(readings, minimum + 1) in {label, None}
