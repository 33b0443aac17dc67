"""Halves cut inside a phrase of `long`, or `long` pasted from them."""

import pytest
from factories import unparsed

from bitext_pivot.filters.joint import Joint

CASES = {
    "a comma between": ("He left, and she stayed.", "He left.", "She stayed.", "en", 0),
    "a conjunction between": ("He left when Anna came.", "He left.", "Anna came.", "en", 0),
    "the comma dropped": ("He left, Anna stayed.", "He left.", "Anna stayed.", "en", 0),
    "a title": ("We met Dr. Weiss in town.", "We met Dr.", "Weiss in town.", "en", 1),
    "another spelling of it": (
        "We met Dr. Weiss in town.",
        "We have met dr.",
        "Weiss in the town.",
        "en",
        1,
    ),
    "a title that is not in long": (
        "We met Weiss in town.",
        "We met Mr.",
        "Weiss in town.",
        "en",
        1,
    ),
    "initials": ("A book by J. Weiss came.", "A book by J.", "Weiss came.", "en", 1),
    "a day before its month": (
        "He came on 9 May and left.",
        "He came on 9.",
        "May and left.",
        "en",
        1,
    ),
    "a year before a month": (
        "He came in 1999 and in May left.",
        "He came in 1999.",
        "May was warm.",
        "en",
        0,
    ),
    "before a number": ("See no. 43 for it.", "See no.", "43 is for it.", "en", 1),
    "a word like an abbreviation": (
        "I said no, 43 times.",
        "I said no.",
        "I did 43 times.",
        "en",
        0,
    ),
    "a name in capitals": (
        "The bank is called ING, and it grew.",
        "The bank is called ING.",
        "It grew.",
        "en",
        0,
    ),
    "spaces around punctuation": (
        "cells of E . coli which grow .",
        "cells of E .",
        "coli which grow .",
        "en",
        1,
    ),
    "a seam without a mark": (
        "The dog left The cat stayed.",
        "The dog left.",
        "The cat stayed.",
        "en",
        1,
    ),
    "a seam before a name": ("The dog left Anna stayed.", "The dog left.", "Anna stayed.", "en", 1),
    "a seam before lower case": ("the dog left the cat", "the dog left", "the cat", "en", 0),
    "a question": ("Why is it so It is so.", "Why is it so?", "It is so.", "en", 1),
    "a part of a word": ("We are left Annabelle stayed.", "He left.", "Anna stayed.", "en", 0),
    "inside brackets": ("It holds (up to 2 GB) much.", "It holds (up.", "2 GB) much.", "en", 1),
    "a list of letters": ("(a) It holds, and it keeps.", "a) It holds.", "b) It keeps.", "en", 0),
    "German": ("Wir trafen Prof. Weiß.", "Wir haben Prof.", "Weiß getroffen.", "de", 1),
    "French": ("Nous avons vu Mme Blanc.", "Nous vîmes Mme.", "Blanc y était.", "fr", 1),
    "Spanish": ("Vimos a la Sra. Blanco.", "Vimos a la Sra.", "Blanco estaba.", "es", 1),
    "a title of another language": (
        "The agency of Mrs. Blanco won.",
        "It is of the Sra.",
        "Blanco won.",
        "en",
        1,
    ),
    "an English title": ("Nous avons vu Mme Blanc.", "Nous vîmes Mrs.", "Blanc y était.", "fr", 1),
    "a language without a list": ("Viděli dr. Bílá.", "Viděli dr.", "Bílá.", "cs", 1),
    "a half that begins small": ("The dog left early.", "The dog left.", "early it left.", "en", 1),
    "both sides begin small": ("the dog left early.", "the dog left.", "it left early.", "en", 0),
    "a linking word": (
        "He left, and therefore she stayed.",
        "He left.",
        "therefore, she stayed.",
        "en",
        0,
    ),
    "a linking word with a space": (
        "He left, so she stayed.",
        "He left .",
        "therefore , she stayed .",
        "en",
        0,
    ),
    "a list mark before a capital": (
        "He left, and she stayed.",
        "a) He left.",
        "( b ) She stayed.",
        "en",
        0,
    ),
    "a list mark before a small letter": (
        "He left because of it.",
        "a) He left.",
        "b) because of it.",
        "en",
        1,
    ),
    "a name in small letters": (
        "He met al-Qaeda men.",
        "He met men.",
        "al-Qaeda sent them.",
        "en",
        0,
    ),
    "a particle of a name": (
        "He met von Weizsäcker.",
        "He met him.",
        "von Weizsäcker spoke.",
        "en",
        0,
    ),
    "a word with a capital inside": (
        "He sells iPhones.",
        "He sells.",
        "iPhones are sold.",
        "en",
        0,
    ),
    "a quotation that begins small": ("He left early.", "He left.", '"early it was."', "en", 0),
    "German: d. h.": (
        "Es gilt heute, d. h. Montag.",
        "Es gilt heute, d. h.",
        "Montag gilt es.",
        "de",
        1,
    ),
    "German: zzgl.": (
        "Es kostet 9 Euro zzgl. Porto.",
        "Es kostet 9 Euro zzgl.",
        "Porto kommt hinzu.",
        "de",
        1,
    ),
    "German: Hr.": ("Wir trafen den Hr. Weiß.", "Wir trafen den Hr.", "Weiß war da.", "de", 1),
    "French: par ex.": ("On voit par ex. Paris.", "On voit par ex.", "Paris est grand.", "fr", 1),
    "Spanish: p. ej.": ("Vimos, p. ej. Madrid.", "Vimos, p. ej.", "Madrid es grande.", "es", 1),
    "no words": ("", "", "", "en", 0),
}


@pytest.mark.parametrize("case", CASES)
def test_what_stands_at_the_joint_decides(case: str) -> None:
    *texts, language, expected = CASES[case]
    assert Joint().score([unparsed(*texts, language=language)]) == [expected]
