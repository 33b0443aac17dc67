"""The finer kind of a split, told by what stands at it; parses written by hand, the split counted from 0."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from constructions import agreement
from factories import tree

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure
from bitext_pivot.syntax.labelling.constructions import CONSTRUCTIONS, find_construction

CASES = {
    "colon or semicolon": [
        ("We/PRON/nsubj/2 ate/VERB*/root/0 ; and/CCONJ/cc/6 they/PRON/nsubj/6 sang/VERB*/conj/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 : bread/NOUN/dep/2", 2),
        ("She/PRON/nsubj/2 smiled/VERB*/root/0 : \" you/PRON/nsubj/6 won/VERB*/ccomp/2", 4),
    ],
    "conjunction with subject": [
        # the parser took what is joined for a noun: "Snow fell on hills and the road closed"
        ("Snow/NOUN/nsubj/2 fell/VERB*/root/0 on/ADP/case/4 hills/NOUN/obl/2 and/CCONJ/cc/6 roads/NOUN/conj/4 "
         "closed/VERB*/dep/2", 4),
        ("Snow/NOUN/nsubj/2 fell/VERB*/root/0 on/ADP/case/4 hills/NOUN/obl/2 and/CCONJ/cc/6 roads/NOUN/conj/4 , "
         "which/PRON?/nsubj/9 froze/VERB*/acl:relcl/6 , closed/VERB*/dep/2", 4),
        # the same with a list, and with a participle and a joined relative clause before the verb
        ("Snow/NOUN/nsubj/2 hid/VERB*/root/0 hills/NOUN/obj/2 and/CCONJ/cc/5 roads/NOUN/conj/3 , lanes/NOUN/conj/3 , "
         "paths/NOUN/conj/3 closed/VERB*/dep/2", 3),
        ("Snow/NOUN/nsubj/2 hid/VERB*/root/0 hills/NOUN/obj/2 and/CCONJ/cc/5 roads/NOUN/conj/3 leading/VERB~/acl/5 "
         "up/ADV/advmod/6 which/PRON?/nsubj/9 froze/VERB*/acl:relcl/5 and/CCONJ/cc/11 broke/VERB*/conj/9 "
         "closed/VERB*/dep/2", 3),
        ("It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2", 2),
        ("It/PRON/nsubj/2 rained/VERB*/root/0 , but/CCONJ/cc/6 we/PRON/nsubj/6 stayed/VERB*/conj/2", 2),
        ("It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2", 3),
        # the parser joined an adverb in place of the clause, or took the verb for an adjective
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , but/CCONJ/cc/5 here/ADV/conj/2 they/PRON/nsubj/8 have/AUX*/aux/8 "
         "slept/VERB*/dep/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , but/CCONJ/cc/6 they/PRON/nsubj/6 last/ADJ/amod/7 years/NOUN/obl/2", 3),
        ("It/PRON/nsubj/2 rained/VERB*/root/0 , so/ADV/advmod/6 we/PRON/nsubj/6 stayed/VERB*/advcl/2", 3),
    ],
    "conjunction without subject": [
        # a subordinate clause with a subject follows: "She lit it and left because we slept"
        ("She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 left/VERB*/conj/2 because/SCONJ/mark/8 "
         "we/PRON/nsubj/8 slept/VERB*/advcl/5", 3),
        ("cats/NOUN/nsubj/4 and/CCONJ/cc/3 dogs/NOUN/conj/1 bark/VERB*/root/0", 1),
        ("She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 made/VERB*/conj/2 tea/NOUN/obj/5", 3),
        ("She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/dep/2 left/VERB*/dep/2", 3),
        ("She/PRON/nsubj/2 lit/VERB*/root/0 lamps/NOUN/obj/2 and/CCONJ/cc/5 fires/NOUN/conj/3 which/PRON?/nsubj/7 "
         "glow/VERB*/acl:relcl/5 and/CCONJ/cc/9 burn/VERB*/conj/7", 3),
    ],
    "concluding relative clause": [
        ("I/PRON/nsubj/2 own/VERB*/root/0 a/DET/det/4 hut/NOUN/obj/2 which/PRON?/nsubj/6 leaks/VERB*/acl:relcl/4", 4),
        ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 , in/ADP/case/6 which/PRON?/obl/7 go/VERB*/dep/3", 4),
        ("I/PRON/nsubj/2 own/VERB*/root/0 two/X/obj/2 , one/X/dep/8 of/ADP/case/7 which/PRON?/nmod/5 is/AUX/dep/2", 4),
        # "that" is the only subject of its clause
        ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 , that/SCONJ?/mark/6 leak/VERB*/advcl/2", 4),
        ("We/PRON/nsubj/2 ran/VERB*/root/0 inns/NOUN/obj/2 , where/SCONJ/advmod/7 we/PRON/nsubj/7 ate/VERB*/dep/2", 4),
        # behind a comma "that" opens a relative clause, whatever the parser takes it for
        ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 , that/SCONJ/nsubj/8 in/ADP/case/7 June/PROPN/nmod/5 "
         "have/VERB/parataxis/2 guests/NOUN/obj/8", 4),
        ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 birds/NOUN/nsubj/5 love/VERB*/acl:relcl/3", 3),
        # the parser took the clause for a second main clause
        ("We/PRON/nsubj/2 read/VERB*/root/0 laws/NOUN/obj/2 , according/VERB/case/7 to/ADP/fixed/5 which/PRON?/obl/9 "
         "we/PRON/nsubj/9 pay/VERB*/parataxis/2", 4),
    ],
    "gerund": [
        ("Oaks/NOUN/nsubj/2 grew/VERB*/root/0 , slowly/ADV/advmod/5 hiding/VERB~/advcl/2 huts/NOUN/obj/5", 3),
        ("Rain/NOUN/nsubj/2 fell/VERB*/root/0 , filling/VERB~/advcl/2 pots/NOUN/obj/4", 3),
        ("Rain/NOUN/nsubj/2 fell/VERB*/root/0 , thereby/ADV/advmod/5 filling/VERB~/advcl/2 pots/NOUN/obj/5", 3),
    ],
    "subordinate clause or preposition": [
        ("We/PRON/nsubj/2 lost/VERB*/root/0 , given/VERB/advcl/2 rain/NOUN/obl/4", 3),
        ("We/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 such/ADJ/case/6 as/ADP/fixed/4 mills/NOUN/nmod/3", 3),
        # the parser took the clause for a relative one; a relative word behind "that"
        ("We/PRON/nsubj/2 met/VERB*/root/0 Ann/PROPN/obj/2 , though/SCONJ/mark/7 it/PRON/nsubj/7 "
         "rained/VERB*/acl:relcl/3", 4),
        ("We/PRON/nsubj/2 know/VERB*/root/0 that/SCONJ/mark/8 when/ADV?/advmod/6 it/PRON/nsubj/6 rains/VERB*/advcl/8 "
         "roads/NOUN/nsubj/8 close/VERB*/ccomp/2", 2),
        ("We/PRON/nsubj/2 lost/VERB*/root/0 , including/VERB~/case/5 Ann/PROPN/obl/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 in/ADP/case/5 both/CCONJ/cc:preconj/5 towns/NOUN/obl/2", 2),
        ("We/PRON/nsubj/2 left/VERB*/root/0 because/SCONJ/mark/5 it/PRON/nsubj/5 rained/VERB*/advcl/2", 2),
        ("We/PRON/nsubj/2 left/VERB*/root/0 because/X/dep/5 it/PRON/nsubj/5 rained/VERB*/dep/2", 2),
        ("We/PRON/nsubj/2 left/VERB*/root/0 , just/ADV/advmod/6 as/SCONJ/mark/7 it/PRON/nsubj/7 rained/VERB*/advcl/2",
         3),
        ("We/PRON/nsubj/2 left/VERB*/root/0 , with/ADP/case/5 rain/NOUN/obl/2", 3),
        ("We/PRON/nsubj/2 left/VERB*/root/0 to/PART/mark/4 sleep/VERB/advcl/2", 2),
        ("We/PRON/nsubj/2 left/VERB*/root/0 as/ADV/cc/6 well/ADV/cc/6 as/ADP/cc/6 they/PRON/conj/1", 2),
        # "what" stands for no noun before it
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , in/ADP/case/7 what/PRON?/nsubj/7 is/AUX*/cop/7 June/PROPN/advcl/2", 3),
    ],
    "preceding relative clause": [
        # the parser saw only the conjunction: "Whereas we ate, now they sing"
        ("Whereas/SCONJ/advmod/3 we/PRON/nsubj/3 ate/VERB*/root/0 , now/ADV/advmod/3 they/PRON/nsubj/7 "
         "sing/VERB*/ccomp/3", 4),
        ("If/SCONJ/mark/3 it/PRON/nsubj/3 rains/VERB*/advcl/6 , we/PRON/nsubj/6 stay/VERB*/root/0", 4),
        ("If/SCONJ/mark/3 it/PRON/nsubj/3 rains/VERB*/advcl/6 , we/PRON/nsubj/6 stay/VERB*/root/0", 0),
        ("If/SCONJ/mark/3 it/PRON/nsubj/3 rains/VERB*/advcl/6 , both/CCONJ/nsubj/6 stay/VERB*/root/0", 4),
        ("Leaving/VERB~/advcl/4 , she/PRON/nsubj/4 waved/VERB*/root/0", 2),
        # the split is inside the subject of the main clause, which a comma opens
        ("Leaving/VERB~/advcl/5 , the/DET/det/4 cook/NOUN/nsubj/5 waved/VERB*/root/0", 4),
        # the parser hung the main clause from the subordinate one
        ("As/ADP/case/2 rain/NOUN/nsubj/3 fell/VERB*/root/0 , they/PRON/nsubj/6 left/VERB*/parataxis/3", 4),
    ],
    "other": [
        # a mere comma between full clauses, whatever the second begins with; two sentences
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , they/PRON/nsubj/5 sang/VERB*/parataxis/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , in/ADP/case/5 town/NOUN/obl/7 they/PRON/nsubj/7 sang/VERB*/conj/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , in/ADP/case/5 town/NOUN/dep/2 they/PRON/nsubj/7 sang/VERB*/dep/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 . When/ADV?/advmod/6 sing/VERB*/dep/2 they/PRON/nsubj/5", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 .. In/ADP/case/5 town/NOUN/obl/7 they/PRON/nsubj/7 sang/VERB*/dep/2", 3),
        ("If/SCONJ/mark/3 it/PRON/nsubj/3 rains/VERB*/advcl/6 , we/PRON/nsubj/6 stay/VERB*/root/0 up/ADV/advmod/6", 6),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 bread/NOUN/obj/2 cakes/NOUN/dep/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 .", 3),
        ("We/PRON/nsubj/2 had/VERB*/root/0 goats/NOUN/obj/2 , bought/VERB/acl:relcl/3 here/ADV/advmod/5", 4),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , in/ADP/case/5 town/NOUN/dep/2 , they/PRON/nsubj/8 sang/VERB*/conj/2", 3),
        # "thus" is an adverb between full clauses
        ("We/PRON/nsubj/2 ate/VERB*/root/0 , thus/ADV/advmod/6 they/PRON/nsubj/6 sang/VERB*/parataxis/2", 3),
        ("We/PRON/nsubj/2 ate/VERB*/root/0 then/ADV/advmod/2 with/ADP/case/5 you/PRON/obl/2", 0),
    ],
}  # fmt: skip
ALL = [(name, words, at) for name, cases in CASES.items() for words, at in cases]


def view(long: Parse, language: str = "en") -> ClauseStructure:
    """Return the view of a sentence that has words."""
    sentence = clauses.analyse_clauses(long, language)
    assert sentence is not None
    return sentence


@pytest.mark.parametrize(("name", "words", "at"), ALL)
def test_construction(name: str, words: str, at: int) -> None:
    assert find_construction(view(tree(words)), at) == name


@pytest.mark.parametrize("apostrophe", "'’")
def test_a_word_of_a_list_may_have_either_apostrophe(apostrophe: str) -> None:
    words = "Elle/PRON/nsubj/2 dort/VERB*/root/0 , lorsqu'/SCONJ/mark/6 il/PRON/nsubj/6 rit/VERB*/acl:relcl/2"
    sentence = view(tree(words.replace("'", apostrophe)), "fr")
    assert find_construction(sentence, 3) == "subordinate clause or preposition"


CLEAR = [
    ("We/PRON/nsubj/2 left/VERB*/ROOT/0 to/PART/aux/4 sleep/VERB/advcl/2", 2, "subordinate clause or preposition"),
    ("We/PRON/nsubj/2 ate/VERB*/ccomp/5 , they/PRON/nsubj/5 sang/VERB*/ROOT/0 songs/NOUN/dobj/5", 3, "other"),
    ("We/PRON/nsubj/2 own/VERB*/ROOT/0 huts/NOUN/dobj/2 such/ADJ/amod/5 as/ADP/prep/3 mills/NOUN/pobj/5", 3,
     "subordinate clause or preposition"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "at", "name"), CLEAR)
def test_construction_in_clear(words: str, at: int, name: str) -> None:
    parse = tree(words, "clear")
    tags = tuple(
        "TO" if token == "to" else tag for token, tag in zip(parse.tokens, parse.tags, strict=True)
    )
    assert find_construction(view(replace(parse, tags=tags)), at) == name


def test_every_construction_has_a_case() -> None:
    assert set(CASES) == {*CONSTRUCTIONS, "other"}


def test_no_place_in_a_sentence_is_out_of_bounds() -> None:
    for _, words, _ in ALL:
        sentence = view(tree(words))
        assert {find_construction(sentence, at) for at in range(len(words.split()) + 1)} <= set(
            CASES
        )


GOLDEN = Path(__file__).parents[2] / "golden" / "constructions.tsv"


@pytest.mark.nightly
@pytest.mark.shared
def test_labels_by_hand_are_met(shared: Path, pipeline: Any) -> None:
    found = agreement(shared / "eval", GOLDEN, pipeline)
    assert len(found) == 846
    for label, share in ((0, 0.86), (1, 0.85)):  # category, construction
        assert sum(one.by_hand[label] == one.ours[label] for one in found) >= share * len(found)
