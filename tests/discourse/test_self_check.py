"""The self-check of DiscoFuse's texts: outputs of the rules pass, and those with a word too few or too many do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.fusion.self_check import rejection_reason

RIGHT = [
    (("It rained , but we left .",), "It rained .", "We left .", "SINGLE_S_COORD", ", but"),
    (("Anna , who lived here , left .",), "Anna left .", "Anna lived here .", "SINGLE_RELATIVE", ""),
    (("Anna , whose son lived here , left .",), "Anna left .", "Anna 's son lived here .", "SINGLE_RELATIVE", ""),
    (("Anna , the queen , left .",), "Anna left .", "Anna is the queen .", "SINGLE_APPOSITION", ""),
    (("Visiting Bonn , Anna fell .",), "Anna visited Bonn .", "Anna fell .", "SINGLE_CATAPHORA", ""),
    (("Anna came and saw it .",), "Anna came .", "Anna saw it .", "SINGLE_VP_COORD", "and"),
    (("Anna left because she and her son were ill .",), "Anna left .", "Anna and her son were ill .",
     "SINGLE_CONN_INNER_ANAPHORA", "because"),
    (("Anna left .", "She said that she was ill ."), "Anna left .", "Anna said that Anna was ill .",
     "PAIR_ANAPHORA", ""),
    (("Anna left .", "However , her son stayed ."), "Anna left .", "Anna 's son stayed .",
     "PAIR_CONN_ANAPHORA", "however ,"),
    (("It rained .", "We left ."), "It rained .", "We left .", "PAIR_NONE", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first", "second", "kind", "connective"), RIGHT)
def test_what_the_rules_make_passes(
    text: tuple[str, ...], first: str, second: str, kind: str, connective: str
) -> None:
    assert rejection_reason(text, (first, second), kind, connective) is None


@given(case=st.sampled_from(RIGHT), word=st.sampled_from(["nobody", "yesterday"]))
def test_a_new_word_is_found(case: tuple[tuple[str, ...], str, str, str, str], word: str) -> None:
    text, first, second, kind, connective = case
    extra = f"{word} {word} {word}" if kind in {"SINGLE_APPOSITION", "SINGLE_CATAPHORA"} else word
    assert (
        rejection_reason(text, (first, f"{second} {extra}"), kind, connective)
        == "self-check: words added"
    )


@pytest.mark.parametrize(
    ("text", "sentences", "kind", "expected"),
    [
        (("It rained , and we left .",), ("It rained .", "We ."), "SINGLE_S_COORD", "self-check: a word lost"),
        (("It rained , and we soon left .",), ("It rained .", "We ."), "SINGLE_S_COORD", "self-check: words lost"),
        (("Anna , who lived here , left .",), ("Anna left .", "Anna ."), "SINGLE_RELATIVE",
         "self-check: words lost"),
        (("It rained , and we left .",), ("It rained .", "It we left ."), "SINGLE_S_COORD", "self-check: words added"),
        (("Anna left .", "She was very ill ."), ("Anna left .", "Anna was ."), "PAIR_ANAPHORA",
         "self-check: words lost"),
    ],
)  # fmt: skip
def test_a_word_too_few_or_too_many_is_found(
    text: tuple[str, ...], sentences: tuple[str, str], kind: str, expected: str
) -> None:
    assert rejection_reason(text, sentences, kind, "and" if "COORD" in kind else "") == expected
