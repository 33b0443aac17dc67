"""Open ends, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.final_punctuation import FinalPunctuationFilter

LONG, FIRST, SECOND = "We left early and it rained all day.", "We left early.", "It rained all day."
CASES = {
    "all closed": (LONG, FIRST, SECOND, 0),
    "the second half stops": (LONG, FIRST, "It rained all", 1),
    "the first half stops and a sentence begins": (LONG, "We left", SECOND, 1),
    "both halves stop": (LONG, "We left", "It rained all", 2),
    "OPUS cut inside a sentence": (LONG, "We left early", "and it rained all day.", 1),
    "an open half before a script without capitals": (LONG, "غادرنا", "أمطرت.", 0),
    "an open half before a number": (LONG, "We left early", "12.", 0),
    "long stops": ("We left early and", "We left early .", "It rained all day .", 1),
    "nothing is closed": ("We left early and it rained", "We left", "It rained", 0),
    "long is a title, the halves say no more": ("How early we left and how it rained", "We left.", "How it rained.", 0),
    "a headline, the halves say a little more": (
        "Fuses last a long time but only two years", "Fuses last a long time .", "They last only two years .", 0
    ),
    "quotes and brackets stand behind the mark": (LONG, FIRST, "(It rained all “day.”)", 0),
    "marks between blanks": ("We left early and it rained all day ;", "We left early .", "It rained all day .", 0),
    "an ellipsis": (LONG, FIRST, "It rained all…", 0),
    "Arabic": ("غادرنا مبكرا وأمطرت؟", "غادرنا؟", "أمطرت", 1),
    "a half asks": (LONG, "Why was it so?", SECOND, 1),
    "a half asks in quotes": (LONG, FIRST, "“Why was it so?”", 1),
    "long asks, too": ("Why was it so? - he asked, and left.", "Why was it so?", "He left.", 0),
    "a question mark inside a half": (LONG, "We left ( when? ) early.", SECOND, 0),
    "a stop behind a comma": (LONG, "We left early , .", SECOND, 1),
    "a stop behind a colon": (LONG, FIRST, "It rained all day:.", 1),
    "a stop behind a dash": (LONG, FIRST, "It rained all day -.", 1),
    "a stop behind a stop": (LONG, FIRST, "It rained all day . .", 1),
    "long ends so, too": ("We left early and it rained all day . .", FIRST, "It rained all day . .", 0),
    "three dots between blanks": (LONG, FIRST, "It rained all day . . .", 0),
    "an abbreviation at the end": (LONG, FIRST, "It rained at Weiss Inc.", 0),
    "Chinese": ("我们走了，下雨了。", "我们走了。", "下雨了。", 0),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_end_is_open_where_the_other_side_is_closed(case: str) -> None:
    *texts, expected = CASES[case]
    assert FinalPunctuationFilter().score([parsed(*map(flat, texts))]) == [expected]
