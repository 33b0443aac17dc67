"""Sentences pasted with a space: trees by hand, counted by hand."""

import pytest
from factories import pair, parse, parsed

from bitext_pivot.filters.components import ComponentsFilter
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_pairs

CASES = {
    "a capital after a full stop": (".", "Then", 2),
    "a capital after a question": ("?", "Then", 2),
    "a capital after an abbreviating stop": ("etc.", "Then", 2),
    "a letter without case": (".", "ثم", 2),
    "a small letter after a full stop": (".", "then", 1),
    "a number after a full stop": (".", "4", 1),
    "a capital after a comma": (",", "Then", 1),
}


def score(lines: str, **settings: object) -> float:
    side = parse(lines)
    (value,) = ComponentsFilter.model_validate(settings).score([parsed(side, side, side)])
    assert value is not None
    return value


@pytest.mark.parametrize("case", CASES)
def test_a_tree_is_a_sentence_only_where_two_sentences_meet(case: str) -> None:
    mark, word, expected = CASES[case]
    lines = (
        f"We we PRP PRON nsubj 2\nleft leave VBD VERB root 0\n{mark} . . PUNCT punct 2\n"
        f"{word} x RB ADV advmod 5\nran run VBD VERB root 0"
    )
    assert score(lines) == expected
    assert score(lines, count="roots") == 2


def named(mark: str, name: str, pos: str = "PROPN", kind: str = "NNP") -> str:
    """Two trees, `We met <mark>` and `<name> ran`."""
    ending = "\n".join(f"{token} x NNP PROPN obj 2" for token in mark.split())
    first = 2 + len(mark.split())
    return (
        f"We we PRP PRON nsubj 2\nmet meet VBD VERB root 0\n{ending}\n"
        f"{name} x {kind} {pos} nsubj {first + 2}\nran run VBD VERB root 0"
    )


@pytest.mark.parametrize("title", ["Dr.", "Pfc .", "Prof.", "J.", "J .", "U.S.", "Mr."])
def test_the_stop_of_a_title_ends_no_sentence(title: str) -> None:
    assert score(named(title, "Weiss")) == 1
    assert score(named(title, "They", "PRON", "PRP")) == 2


@pytest.mark.parametrize("ending", ["Berlin .", "etc.", "EU .", "him .", "Dr !", "Dr ?"])
def test_another_word_ends_a_sentence_before_a_name(ending: str) -> None:
    assert score(named(ending, "Weiss")) == 2


MEETINGS = {
    "the first token is the stop": (2, ". . . PUNCT punct 0\nWeiss x NNP PROPN nsubj 3\nran run VBD VERB root 0"),
    "quotes at the border": (2, """left leave VBD VERB root 0\n. . . PUNCT punct 1\n” ” '' PUNCT punct 1
        “ “ `` PUNCT punct 5\nThen then VBD VERB root 0"""),
    "one tree": (1, "Left leave VBD VERB root 0\n. . . PUNCT punct 1\nThen then RB ADV advmod 1"),
    "three trees": (3, "\n".join(f"Go go VB VERB root 0\n. . . PUNCT punct {2 * n + 1}" for n in range(3))),
    "heads in a circle": (1, "a a X X dep 2\nb b X X dep 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", MEETINGS)
def test_sentences_are_counted(case: str) -> None:
    expected, lines = MEETINGS[case]
    assert score(lines) == expected


@pytest.mark.parametrize("mark", [":", ",", ";"])
def test_a_mark_after_the_stop_continues_the_sentence(mark: str) -> None:
    lines = f"A x NNP PROPN root 0\n. . . PUNCT punct 1\n{mark} {mark} : PUNCT punct 1\nThe the DT DET root 0"
    assert score(lines) == 1


SEVERAL = [
    "It rained all day. We left.",
    "The bus was full. So Anna walked home.",
    "Was the bus late? Anna walked home.",
    "The bus was full! She walked home.",
    "- The train was late. - The bus was full.",
    "1. The train was late. The bus was full.",
    "He said: “It is late.” The bus was full. She walked home.",
]
SINGLE = [
    "It rained all day; we left.",
    "1. It rained all day.",
    "- It rained all day.",
    "Dr. Weiss met Mrs. Brown in Washington D.C. on Monday.",
    "He said: “It rained. We left.”",
    'She said, "It rained. We left."',
    "She said «It rained. We left.» to him.",
    "He wrote (It rained. We left.) on it.",
    "“Is it late?” Anna asked.",
    "See No. 5 of Fig. 3 there.",
    ". - The train was late.",
]
LONG = "It rained all day and we left, but he stayed in the house."


def of_half(text: str, place: int, pipeline: SpacyPipeline, rule: ComponentsFilter) -> float | None:
    halves = ["He stayed in the house."] * 2
    halves[place] = text
    some, _ = parse_pairs([pair(LONG, *halves)], pipeline)
    return rule.score(some)[0]


@pytest.mark.parametrize("place", range(2))
@pytest.mark.parametrize("text", SEVERAL)
def test_a_half_of_several_sentences_counts(text: str, place: int, pipeline: SpacyPipeline) -> None:
    assert of_half(text, place, pipeline, ComponentsFilter()) == 2
    assert of_half(text, place, pipeline, ComponentsFilter().as_in_paper()) == 1


@pytest.mark.parametrize("place", range(2))
@pytest.mark.parametrize("text", SINGLE)
def test_a_half_of_one_sentence_does_not(text: str, place: int, pipeline: SpacyPipeline) -> None:
    assert of_half(text, place, pipeline, ComponentsFilter()) == 1
