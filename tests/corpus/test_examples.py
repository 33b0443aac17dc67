"""What a person looks at: the same pairs every time, the right words marked, nothing that Markdown would eat."""

import re
from dataclasses import replace

from factories import flat as parse
from factories import judged
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.corpus import examples
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.presentation import example_score_names

RAIN = judged(1, "It rained , so we stayed home .", "It rained .", "So we slept .")


def test_words_of_one_side_and_the_split_are_marked() -> None:
    page = examples.examples_page(
        "fr-en: Everyday/v1", {RAIN.category: [examples.format_example(replace(RAIN, split_at=3))]}
    )
    assert (
        "\n\nIt rained , ‖ so we ~~stayed home~~ .\n\n1. It rained .\n\n2. So we **slept** .\n\n"
        in page
    )
    assert "## Direct Insertion (1 shown)" in page
    assert "## Changes Near Split (0 shown)" in page


def test_only_the_scores_that_say_most_are_shown() -> None:
    scores = {"bertscore": 0.9, "bertscore.recall": 0.8, "overlap": 0.5, "tags": 0.0}
    pair = replace(RAIN, scored=replace(RAIN.scored, scores=scores))
    page = examples.format_example(pair, example_score_names(Filters().active()))
    assert f"{RAIN.category_bisect}, overlap 0.50, bertscore 0.90" in page
    assert "tags" not in page and "recall" not in page


def test_neighbours_are_marked_together_and_punctuation_alone_is_not() -> None:
    glued = replace(
        parse("He didn't go."), tokens=("He", "did", "n't", "go", "."), starts=(0, 3, 6, 10, 12)
    )
    assert (
        examples.mark_words("He didn't go.", glued, [False, False, True, False, True], "**")
        == "He **didn't** go."
    )


words = st.lists(
    st.text(
        st.characters(categories=["L", "N", "P"], exclude_characters="/"), min_size=1, max_size=4
    ),
    min_size=1,
    max_size=8,
)


@given(words, st.data())
def test_marking_loses_no_character(tokens: list[str], data: st.DataObject) -> None:
    text = " ".join(tokens)
    flags = data.draw(st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens)))
    shown = examples.mark_words(
        text, parse(text), flags, "", split_at=data.draw(st.integers(0, len(tokens)))
    )
    plain = re.sub(
        r"\\(.)", r"\1", shown.replace("‖ ", "", shown.count("‖ ") - text.count("‖ "))
    ).replace("&amp;", "&")
    assert plain == text
