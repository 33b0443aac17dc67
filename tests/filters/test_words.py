"""Sets of words, made once a parse."""

from support import flat

from filters.words import content, lemmas


def test_lemmas_are_lower_cased_and_keep_punctuation() -> None:
    assert lemmas(flat("The/DET Cat/NOUN Slept/VERB ./PUNCT")) == {"the", "cat", "slept", "."}


def test_content_leaves_out_what_only_holds_a_sentence_together() -> None:
    words = flat("The/DET cat/NOUN of/ADP Anna/PROPN slept/VERB very/ADV long/ADJ , two/NUM and/CCONJ ./PUNCT")
    assert content(words) == {"cat", "anna", "slept", "very", "long", "two"}


def test_the_same_words_with_other_parts_of_speech_are_other_words() -> None:
    assert content(flat("run/NOUN")) == {"run"}
    assert content(flat("run/AUX")) == frozenset()


def test_a_set_is_made_once() -> None:
    parse = flat("Straße/NOUN über/ADP")
    assert lemmas(parse) is lemmas(parse)
