"""The category by the rules of the released code: which rule fires first."""

import pytest
from factories import flat, parsed, tree

from bitext_pivot.core.records import ParsedPair
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.labelling import released

PLAIN = "We/PRON/nsubj/2 saw/VERB*/root/0 old/ADJ/amod/4 boats/NOUN/obj/2 there/ADV/advmod/2 ."
JOINED = "It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2 ."
PREDICATES = "She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 made/VERB*/conj/2 tea/NOUN/obj/5 ."
ALTHOUGH = "Although/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/advcl/6 , they/PRON/nsubj/6 played/VERB*/root/0 ."
ALTHOUGH_AND = f"{ALTHOUGH[:-2]} and/CCONJ/cc/9 we/PRON/nsubj/9 sang/VERB*/conj/6 ."
BEFORE_LEAVING = "Before/SCONJ/mark/2 leaving/VERB~/advcl/5 , she/PRON/nsubj/5 waved/VERB*/root/0 ."
SINCE_MARCH = (
    "Since/ADP/case/2 March/PROPN/obl/4 shops/NOUN/nsubj/4 open/VERB*/root/0 late/ADV/advmod/4 ."
)
LEAVING = "Leaving/VERB~/advcl/5 town/NOUN/obj/1 , she/PRON/nsubj/5 waved/VERB*/root/0 ."
LONG_PHRASE = (
    "In/ADP/case/2 cases/NOUN/obl/14 of/ADP/case/4 fire/NOUN/nmod/2 on/ADP/case/6 boats/NOUN/nmod/2 "
    "from/ADP/case/8 ports/NOUN/nmod/2 of/ADP/case/11 the/DET/det/11 North/PROPN/nmod/2 "
    ", we/PRON/nsubj/14 wait/VERB*/root/0"
)
TAIL = (
    "Storms/NOUN/nsubj/2 hit/VERB*/root/0 us/PRON/obj/2 , leaving/VERB~/advcl/2 dust/NOUN/obj/5 ."
)
SEMICOLON = "We/PRON/nsubj/2 saw/VERB*/root/0 boats/NOUN/obj/2 ; ducks/NOUN/dep/2 swam/{}/dep/2 ."
SPLICED = "Rents/NOUN/nsubj/2 rose/VERB*/root/0 , tenants/NOUN/nsubj/5 left/VERB*/parataxis/2 ."
# the parser hung "and" from the first word behind it: no comma splice
SPLICED_AND = (
    "Rents/NOUN/nsubj/2 rose/VERB*/root/0 and/CCONJ/cc/5 , then/ADV/advmod/5 , tenants/NOUN/nsubj/8 "
    "left/VERB*/parataxis/2 ."
)
COLON = SEMICOLON.replace(";", ":")


def pair(long: str, first: str = "It is so .", second: str = "That is it .") -> ParsedPair:
    return parsed(tree(long), flat(first), flat(second))


def numbered(words: str) -> str:
    """Put `( 3 )` before a sentence; it hangs from the main verb."""
    parts = [word.rpartition("/") for word in words.split()]
    shifted = [
        f"{arc}/{int(head) + 3 if int(head) else 0}" if arc else head for arc, _, head in parts
    ]
    root = next(n for n, word in enumerate(shifted, 4) if word.endswith("/0"))
    return " ".join([f"( 3/NUM/dep/{root} )", *shifted])


RULES = [
    # pair, rule
    (pair(JOINED), "A1"),
    (pair(SEMICOLON.format("NOUN")), "A2"),
    (pair(COLON.format("VERB*")), "C"),
    (pair(ALTHOUGH), "B1"),
    (pair(ALTHOUGH_AND), "A1"),
    (pair(BEFORE_LEAVING), "B1"),
    (pair(LEAVING), "B2"),
    (pair(LONG_PHRASE), "B3"),
    (pair(TAIL), "C"),
    (pair(SPLICED), "B6"),
    (pair(SPLICED_AND), "A1"),
    (pair(SINCE_MARCH), "B5"),
    (pair(SINCE_MARCH, "SINCE then ."), "C"),
    (pair(PLAIN), "C"),
    (pair(PREDICATES), "C"),
    (pair(numbered(ALTHOUGH)), "C"),
    (pair(numbered(SINCE_MARCH)), "C"),
    (pair(numbered(JOINED)), "A1"),
]
CATEGORIES = {"A": "Direct Insertion", "B": "Changes Across Sentence", "C": "Changes Near Split"}


def fired_rule(case: ParsedPair) -> str:
    return released.first_matching_rule(
        clauses.analyse_clauses(case.long, case.pair.language), case
    )


@pytest.mark.parametrize(("case", "rule"), RULES)
def test_the_rule_that_fires(case: ParsedPair, rule: str) -> None:
    assert fired_rule(case) == rule
    sentence = clauses.analyse_clauses(case.long, "en")
    assert released.category_bisect(sentence, case) == CATEGORIES[rule[0]]


SEMICOLONS = {
    "a ; b": "A2",
    "a ; b ; c": "A2",
    "a ;": "C",
    "; a": "C",
    "a ; ; b": "C",
    "a : b": "C",
    "a": "C",
}


@pytest.mark.parametrize("text", SEMICOLONS)
def test_a_semicolon_needs_something_on_both_sides(text: str) -> None:
    assert fired_rule(parsed(flat(text), flat("x"), flat("y"))) == SEMICOLONS[text]


@pytest.mark.parametrize("mark", ["'", "’"])
def test_either_apostrophe_makes_the_word_of_the_list(mark: str) -> None:
    one = parsed(flat(f"S{mark} il part"), flat("Il part"), flat("Voilà"), language="fr")
    assert fired_rule(one) == "B5"


def test_a_text_without_words_is_near_split() -> None:
    assert fired_rule(parsed(tree("./PUNCT/root/0"), flat("."), flat("."))) == "C"


def test_a_language_without_lists_is_judged_by_its_parse_alone() -> None:
    case = parsed(tree(ALTHOUGH), flat("x"), flat("y"), language="sv")
    assert fired_rule(case) == "B1"
    assert fired_rule(parsed(tree(SINCE_MARCH), flat("x"), flat("y"), language="sv")) == "C"
