"""Which sentences are fragments: texts as the quickstart's parser reads them, and trees written by hand."""

from typing import Any

import pytest
from factories import tree

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.main_clauses import has_fragment_rules, is_fragment
from bitext_pivot.syntax.parsing import parse_texts

FRAGMENTS = [
    "Because he was tired.",
    "The man who lives next door.",
    "Which surprised many people.",
    "Having finished the work.",
    "Will visit Japan in the spring.",
    "When the war ended.",
    "Although it rained all day.",
    "If you come tomorrow.",
    "A house that was built in 1936.",
    "The mayor, who opened the meeting.",
    "Whose father was a teacher.",
    "Built in 1936 by the city.",
    "Has won three prizes.",
    "Opened the meeting and greeted the guests.",
    "Visiting the old town with friends.",
    "To finish the work before noon.",
    "After he had left the house.",
    "Known as the city of bridges.",
    "Was closed for repairs.",
    "Where the river meets the sea.",
    "More than 600 of which were sold.",
    "Some of whom left early.",
]
SENTENCES = [
    "He was tired.",
    "The man lives next door.",
    "This surprised many people.",
    "Because he was tired, he went home.",
    "When the war ended, they went home.",
    "The man who lives next door is a teacher.",
    "Having finished the work, she left.",
    "Close the door.",
    "Please send us the form before Friday.",
    "Do not take this medicine with alcohol.",
    "If you come tomorrow, bring a coat.",
    "Who lives next door?",
    "Will he visit Japan in the spring?",
    "Which house do you like?",
    "Prices rise again in Europe.",
    "Minister resigns over budget.",
    "There is no water.",
    "Whereas the Commission has adopted the proposal;",
    "Never has the city seen such a storm.",
    "This programme expires tomorrow.",
    "The results show a decline.",
    "That killed three people.",
    "The company that makes it will provide kits.",
    "Let us begin.",
    "He said that he was tired.",
    "Use only plastic material.",
    "Label the antibody and dilute a sample of the solution.",
    "It's bad for your health.",
    "I've learned a lot about books because I was listening to customers every day.",
    "One day I ran too fast in the kitchen.",
    "However, the younger one prefers to talk with the customers.",
    "Some of them left early.",
]


def judged(text: str, pipeline: Any) -> bool:
    (parse,) = parse_texts([text], pipeline)
    assert isinstance(parse, Parse)
    return is_fragment(parse, "en")


@pytest.mark.parametrize("text", FRAGMENTS)
def test_a_fragment_has_no_main_clause(text: str, pipeline: Any) -> None:
    assert judged(text, pipeline)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_has_one(text: str, pipeline: Any) -> None:
    assert not judged(text, pipeline)


TREES = {
    # the language, the tree, and whether it is a fragment
    "French: a subordinate clause": (
        "fr", "Parce/SCONJ/mark/5 que/SCONJ/fixed/1 il/PRON/nsubj/5 était/AUX*/cop/5 las/ADJ/root/0 .", True
    ),
    "French: it has a main clause": (
        "fr",
        "Quand/SCONJ/mark/3 il/PRON/nsubj/3 pleut/VERB*/advcl/6 , je/PRON/nsubj/6 reste/VERB*/root/0 .",
        False,
    ),
    "French: a noun and its relative clause": (
        "fr", "Le/DET/det/2 maire/NOUN/root/0 qui/PRON?/nsubj/4 dort/VERB*/acl:relcl/2 .", True
    ),
    "French: a part of what went before": (
        "fr", "Deux/NUM/nsubj/4 desquelles/PRON?/nmod/1 sont/AUX*/cop/4 grandes/ADJ/root/0 .", True
    ),
    "Spanish: a part of what went before": (
        "es", "Dos/NUM/nsubj/6 de/ADP/case/4 las/DET/det/4 cuales/PRON?/nmod/1 son/AUX*/cop/6 viejas/ADJ/root/0 .", True
    ),
    "Portuguese: a part of what went before": (
        "pt", "Duas/NUM/nsubj/5 das/ADP/case/3 quais/PRON?/nmod/1 são/AUX*/cop/5 velhas/ADJ/root/0 .", True
    ),
    "French: a verb taken for a noun": (
        "fr", "Le/DET/det/2 maire/NOUN/root/0 qui/PRON?/nsubj/4 dort/VERB*/acl:relcl/2 ronflait/NOUN/nmod/2 .", False
    ),
    "French: a noun alone, which may hide a verb": ("fr", "Le/DET/det/2 maire/NOUN/root/0 raconte/ADJ/amod/2 .", False),
    "French: a participle": ("fr", "Écrite/NOUN/root/0 en/ADP/case/3 1903/NUM/nmod/1 .", True),
    "French: a verb without its subject": (
        "fr", "A/AUX*/aux/2 gagné/VERB/root/0 trois/NUM/nummod/4 prix/NOUN/obj/2 .", True
    ),
    "Spanish needs no subject": ("es", "Ganó/VERB*/root/0 tres/NUM/nummod/3 premios/NOUN/obj/1 .", False),
    "Spanish: a subordinate clause": ("es", "Aunque/SCONJ/mark/2 llovía/VERB*/root/0 mucho/ADV/advmod/2 .", True),
    "German: a subordinate clause": (
        "de", "Weil/SCONJ/mark/3 er/PRON/nsubj/3 müde/ADJ/root/0 war/AUX*/cop/3 .", True
    ),
    "German: a relative clause": (
        "de", "Welche/PRON?/nsubj/3 viele/PRON/obj/3 überraschte/VERB*/root/0 .", True
    ),
    "German: a clause before the main one": (
        "de",
        "Weil/SCONJ/mark/3 er/PRON/nsubj/3 müde/ADJ/advcl/6 war/AUX*/cop/3 , ging/VERB*/root/0 er/PRON/nsubj/6 .",
        False,
    ),
    "German: the verb before its subject": ("de", "Gestern/ADV/advmod/2 kam/VERB*/root/0 er/PRON/nsubj/2 .", False),
    "German: a conjunction that the parser missed": (
        "de", "Bevor/ADV/advmod/3 Anna/PROPN/nsubj/3 kam/VERB*/root/0 .", True
    ),
    "German: a main clause that the parser hung below": (
        "de",
        "Weil/SCONJ/mark/3 er/PRON/nsubj/3 schlief/VERB*/root/0 , zog/VERB*/advcl/3 sie/PRON/nsubj/5 um/ADP/case/5 .",
        False,
    ),
    "German: a comma before another subordinate clause": (
        "de",
        "Weil/SCONJ/mark/3 er/PRON/nsubj/3 sah/VERB*/root/0 , dass/SCONJ/mark/7 sie/PRON/nsubj/7 "
        "schlief/VERB*/ccomp/3 .",
        True,
    ),
    "German: a conjunction that is a preposition, too": (
        "de", "Während/ADP/case/3 des/DET/det/3 Kriegs/NOUN/obl/4 starb/VERB*/root/0 er/PRON/nsubj/4 .", False
    ),
    "German: its verb is the last word": (
        "de", "Während/ADP/case/3 der/DET/det/3 Mann/NOUN/obl/4 schlief/VERB*/root/0 .", True
    ),
    "German: a participle before its auxiliary": (
        "de", "Der/DET/nsubj/3 gestern/ADV/advmod/3 gekommen/VERB~/root/0 ist/AUX*/aux/3 .", True
    ),
    "German: an auxiliary before its participle": (
        "de", "Der/DET/det/2 Mann/NOUN/nsubj/4 ist/AUX*/aux/4 gekommen/VERB~/root/0 .", False
    ),
    "German: that is a demonstrative": (
        "de", "Das/PRON?/nsubj/2 war/VERB*/root/0 heute/ADV/advmod/2 so/ADV/advmod/2 .", False
    ),
    "German: a noun and a relative clause": (
        "de", "Der/DET/det/2 Rat/NOUN/nsubj/6 , der/DET/det/5 uns/PRON/obj/6 berät/VERB*/root/0 .", True
    ),
    "German: a verb taken for a noun, before a relative clause": (
        "de",
        "Anna/PROPN/nsubj/2 sah/NOUN/nmod/1 Jan/PROPN/obj/7 , der/DET/nsubj/7 uns/PRON/obj/7 berät/VERB*/root/0 .",
        False,
    ),
    "German: a conjunction behind a noun is no relative": (
        "de", "Ich/PRON/nsubj/2 zweifle/ADJ/amod/1 , ob/SCONJ/mark/6 er/PRON/nsubj/6 lebt/VERB*/root/0 .", False
    ),
    "Spanish: a conjunction that the parser missed": (
        "es", "Donde/ADV/advmod/2 estaba/VERB*/root/0 ayer/ADV/advmod/2 .", True
    ),
    "Spanish: two verbs behind a conjunction": (
        "es", "Cuando/ADV/advmod/2 llegó/VERB*/root/0 salieron/VERB*/conj/2 todos/PRON/nsubj/3 .", False
    ),
    "Spanish: a second verb that was taken for a noun": (
        "es", "Cuando/ADV/advmod/2 llegó/VERB*/root/0 Ana/PROPN/obj/2 salieron/NOUN/nmod/3 todos/PRON/nmod/4 .", False
    ),
    "Spanish: a comma behind the clause": (
        "es", "Cuando/ADV/advmod/2 llegó/VERB*/root/0 , Ana/PROPN/obj/2 duerme/NOUN/nmod/3 .", False
    ),
    "Spanish: a relative word taken for a conjunction": (
        "es", "La/DET/det/2 carta/NOUN/root/0 que/SCONJ/mark/4 llevaba/VERB*/acl:relcl/2 .", True
    ),
    "Spanish: a verb taken for a noun before a conjunction": (
        "es", "Muchos/DET/det/2 sabios/NOUN/root/0 creen/NOUN/nmod/2 que/SCONJ/mark/5 llovía/VERB*/acl:relcl/2 .", False
    ),
    "Spanish: a verb taken for a name before a conjunction": (
        "es", "Creo/PROPN/root/0 que/SCONJ/mark/3 llovía/VERB*/acl:relcl/1 .", False
    ),
    "Spanish: a negation of a verb that is not seen": (
        "es",
        "La/DET/det/2 carta/NOUN/root/0 no/ADV/advmod/4 pudo/NOUN/nmod/2 que/PRON?/nsubj/6 llevaba/VERB*/acl:relcl/2 .",
        False,
    ),
    "Portuguese: a conjunction that the parser missed": (
        "pt", "Embora/ADV/advmod/2 possa/VERB*/root/0 bem/ADV/advmod/2 .", True
    ),
    "German marks alone": ("de", ". .", False),
    "a conjunction behind the subject opens a phrase": (
        "en",
        "The/DET/det/2 share/NOUN/nsubj/7 after/SCONJ/mark/7 its/PRON/nmod/5 entry/NOUN/nsubj/7 is/AUX*/aux/7 "
        "set/VERB/root/0 by/ADP/case/9 it/PRON/obl/7 .",
        False,
    ),
    "a conjunction before the subject opens a clause": (
        "en", "After/SCONJ/mark/4 the/DET/det/3 share/NOUN/nsubj/4 rose/VERB*/root/0 .", True
    ),
    "a verb alone, taken for a noun": (
        "en",
        "A/DET/det/2 task/NOUN/root/0 we/PRON/nsubj/4 had/AUX*/acl:relcl/2 involves|NNS/NOUN/obj/4 two/NUM/nummod/7 "
        "men/NOUN/nmod/5 .",
        False,
    ),
    "a verb with an object, taken for a noun": (
        "en",
        "The/DET/det/2 rules/NOUN/root/0 which/PRON?/nsubj/4 changed/VERB*/acl:relcl/2 here/ADV/advmod/4 "
        "concern|NN/NOUN/obj/4 the/DET/det/8 trade/NOUN/nmod/6 .",
        False,
    ),
    "a noun behind an adjective stays one": (
        "en",
        "The/DET/det/2 rules/NOUN/root/0 which/PRON?/nsubj/4 raised/VERB*/acl:relcl/2 great/ADJ/amod/6 "
        "concern|NN/NOUN/obj/4 that/DET/det/8 day/NOUN/obl/4 .",
        True,
    ),
    "the parser's subject of what it took for a noun": (
        "en",
        "The/DET/det/2 branch/NOUN/nsubj/6 which/PRON?/nsubj/4 grew/VERB*/acl:relcl/2 ,/PUNCT/punct/2 "
        "moves|NNS/NOUN/root/0 to/ADP/case/8 Rome/PROPN/nmod/6 .",
        False,
    ),
    "names before a base form": (
        "en",
        "When/ADV/advmod/3 he/PRON/nsubj/3 met/VERB*/root/0 Anna/PROPN/obj/3 ,/PUNCT/punct/6 Ben/PROPN/conj/4 "
        "and/CCONJ/cc/8 Zoe/PROPN/conj/4 decide|VB/VERB/ccomp/3 .",
        False,
    ),
    "a participle before a verb that is none": (
        "en",
        "Losing|VBG/VERB/root/0 its/PRON/nmod/3 match/NOUN/obj/1 to/ADP/case/6 ranked|VBN/VERB/amod/6 "
        "Hills|NNPS/PROPN/obl/1 .",
        True,
    ),
    "a list mark is no conjunction": (
        "en", "a|LS/X/mark/5 )/PUNCT/punct/1 It/PRON/nsubj/5 is/AUX*/aux/5 closed|VBN/VERB/root/0 .", False
    ),
    "a pipeline that says nothing of forms": ("en", "Cats/NOUN/nsubj/2 slept/VERB/root/0", False),
    "nothing but marks": ("en", ". .", True),
}  # fmt: skip


@pytest.mark.parametrize("case", TREES)
def test_other_languages_have_their_signs(case: str) -> None:
    language, words, expected = TREES[case]
    assert is_fragment(tree(words), language) == expected


def test_a_language_without_data_is_not_measured() -> None:
    assert has_fragment_rules("en") and not has_fragment_rules("cs")
