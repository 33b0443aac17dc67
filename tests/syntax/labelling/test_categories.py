"""The category by the paper's definitions: two clauses, a dependent part, or changes beyond the split."""

from dataclasses import replace

import pytest
from factories import flat, parsed, tree
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.labelling.categories import label_pair
from bitext_pivot.syntax.labelling.diffs import is_word

JOINED = "It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2 ."
OPENED = (
    "In/ADP/case/2 June/PROPN/obl/5 , it/PRON/nsubj/5 rained/VERB*/root/0 and/CCONJ/cc/8 we/PRON/nsubj/8 "
    "stayed/VERB*/conj/5 ."
)
PREDICATES = "She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 made/VERB*/conj/2 tea/NOUN/obj/5 ."
RELATIVE = (
    "They/PRON/nsubj/2 hired/VERB*/root/0 cooks/NOUN/obj/2 , who/PRON?/nsubj/6 "
    "sang/VERB*/acl:relcl/3 it/PRON/obj/6"
)
ALTHOUGH = "Although/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/advcl/6 , they/PRON/nsubj/6 played/VERB*/root/0 ."
SPLICED = (
    "Rents/NOUN/nsubj/2 rose/VERB*/root/0 , many/ADJ/amod/5 people/NOUN/nsubj/9 who/PRON?/nsubj/7 "
    "rented/VERB*/acl:relcl/5 there/ADV/advmod/7 moved/VERB*/parataxis/2 homes/NOUN/obj/9 ."
)
SAID = "Prices/NOUN/nsubj/2 fell/VERB*/ccomp/6 sharply/ADV/advmod/2 , officials/NOUN/nsubj/6 say/VERB*/root/0 ."
SAID_FIRST = "Prices/NOUN/nsubj/2 fell/VERB*/ccomp/4 , say/VERB*/root/0 officials/NOUN/nsubj/4 ."
SAID_LATER = (
    "Prices/NOUN/nsubj/2 fell/VERB*/ccomp/6 sharply/ADV/advmod/2 , officials/NOUN/nsubj/6 say/VERB*/root/0 "
    "yesterday/NOUN/obl:tmod/6 ."
)
APPOSED = "We/PRON/nsubj/2 met/VERB*/root/0 Ann/PROPN/obj/2 , an/DET/det/6 editor/NOUN/appos/3 here/ADV/advmod/6 ."
EMBEDDED = (
    "The/DET/det/2 mill/NOUN/nsubj/7 , built/VERB~/acl/2 there/ADV/advmod/4 , feeds/VERB*/root/0 "
    "towns/NOUN/obj/7 ."
)
INSERTED = "Paul/PROPN/nsubj/7 , a/DET/det/5 quiet/ADJ/amod/5 man/NOUN/appos/1 , told/VERB*/root/0 us/PRON/obj/7 ."
SUBJECT_AS_ROOT = (
    "Cats/NOUN/root/0 , which/PRON?/nsubj/5 are/AUX*/cop/5 old/ADJ/acl:relcl/1 , sleep/VERB*/parataxis/1 "
    "much/ADV/advmod/7 ."
)
BECAUSE = (
    "They/PRON/nsubj/2 stayed/VERB*/root/0 because/SCONJ/mark/5 rain/NOUN/nsubj/5 fell/VERB*/advcl/2 "
    "heavily/ADV/advmod/5 ."
)
HOWEVER = (
    "It/PRON/nsubj/2 rained/VERB*/root/0 , however/ADV/advmod/6 we/PRON/nsubj/6 stayed/VERB*/parataxis/2 "
    "inside/ADV/advmod/6 ."
)
MIXED = (
    "Storms/NOUN/nsubj/2 broke/VERB*/root/0 windows/NOUN/obj/2 and/CCONJ/cc/6 trains/NOUN/nsubj/6 "
    "stopped/VERB*/conj/2 ."
)
RECITALS = (
    "Whereas/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/root/0 ; whereas/SCONJ/mark/7 a/DET/det/7 need/NOUN/parataxis/3 "
    "for/ADP/case/9 roofs/NOUN/nmod/7 ."
)
FRONTED = "After/ADP/case/2 storms/NOUN/obl/5 , boats/NOUN/nsubj/5 sailed/VERB*/root/0 home/ADV/advmod/5 ."
QUESTION = (
    "Rats/NOUN/nsubj/2 flee/VERB*/root/0 , does/AUX*/aux/6 that/PRON/nsubj/6 mean/VERB/parataxis/2 "
    "fear/NOUN/obj/6 ?"
)
COLON = "We/PRON/nsubj/2 knew/VERB*/root/0 it/PRON/obj/2 : everyone/PRON/nsubj/6 paid/VERB*/parataxis/2 ."
WHOSE = (
    "They/PRON/nsubj/2 hired/VERB*/root/0 cooks/NOUN/obj/2 , and/CCONJ/cc/8 whose/PRON?/nmod:poss/7 songs/NOUN/nsubj/8 "
    "pleased/VERB*/conj/2 us/PRON/obj/8 ."
)
WHEN = (
    "They/PRON/nsubj/2 sang/VERB*/root/0 , and/CCONJ/cc/9 when/ADV?/advmod/7 it/PRON/nsubj/7 rained/VERB*/advcl/9 "
    "they/PRON/nsubj/9 left/VERB*/conj/2 ."
)
GOING = (
    "They/PRON/nsubj/2 sang/VERB*/root/0 , and/CCONJ/cc/8 when/ADV?/advmod/6 going/VERB~/advcl/8 they/PRON/nsubj/8 "
    "left/VERB*/conj/2 ."
)
LOSES = (
    SAID_LATER.replace("officials", "shops")
    .replace("say/", "lose/")
    .replace("yesterday/NOUN/obl:tmod", "now/ADV/advmod")
)
SCIENCE = (
    "We/PRON/nsubj/2 met/VERB*/root/0 Ann/PROPN/obj/2 ; an/DET/det/6 editor/NOUN/appos/3 who/PRON?/nsubj/8 "
    "writes/VERB*/acl:relcl/6 books/NOUN/obj/8 ."
)
HANGING = (
    "We/PRON/nsubj/2 met/VERB*/root/0 Ann/PROPN/obj/2 who/PRON?/nsubj/5 sings/VERB*/acl:relcl/3 ; if/SCONJ/mark/9 "
    "it/PRON/nsubj/9 rains/VERB*/advcl/11 she/PRON/nsubj/11 reads/VERB*/conj/5 ."
)
ORDER = "We/PRON/nsubj/2 met/VERB*/root/0 Ann/PROPN/obj/2 ; ask/VERB!/parataxis/2 her/PRON/obj/5 ."
TOLD = "What/PRON?/obj/3 did/AUX*/aux/3 happen/VERB/root/0 ? Ann/PROPN/nsubj/6 asked/VERB*/parataxis/3 ."
LIST = "We/PRON/nsubj/2 bought/VERB*/root/0 fruit/NOUN/obj/2 : apples/NOUN/appos/3 , plums/NOUN/conj/5 ."
IMPERATIVES = (
    "Wait/VERB!/root/0 here/ADV/advmod/1 , respect/VERB!/parataxis/1 colleagues/NOUN/obj/4 ."
)
TWO_IMPERATIVES = (
    "Twist/VERB!/root/0 caps/NOUN/obj/1 and/CCONJ/cc/4 use/VERB!/conj/1 brushes/NOUN/obj/4 ."
)
UNTAGGED = (
    "They/PRON/nsubj/2 work/VERB/root/0 together/ADV/advmod/2 , we/PRON/nsubj/6 trust/VERB*/parataxis/2 "
    "them/PRON/obj/6 ."
)
TAG_QUESTION = (
    "It/PRON/nsubj/3 's/AUX*/cop/3 cold/ADJ/root/0 today/NOUN/obl/3 , is/AUX*/cop/8 n't/PART/advmod/8 "
    "it/PRON/parataxis/3 ? !"
)
VERSUS = "Courts/NOUN/nsubj/2 cite/VERB*/root/0 Brown/PROPN/obj/2 v./X/dep/3 Board/PROPN/nmod/3 often/ADV/advmod/2 ."
FRENCH = (
    "Il/PRON/nsubj/2 pleuvait/VERB*/root/0 , les/DET/det/5 enfants/NOUN/nsubj/6 restaient/VERB*/parataxis/2 "
    "ici/ADV/advmod/6 ."
)
# the parser takes "waited" for a clause of "stayed"
OWN = (
    "Now/ADV/advmod/10 , they/PRON/nsubj/5 so/ADV/mark/5 waited/VERB*/advcl/10 here/ADV/advmod/5 , we/PRON/nsubj/10 "
    "both/DET/advmod/10 stayed/VERB*/root/0 ."
)
FORBIDDEN = "Lock/VERB!/root/0 doors/NOUN/obj/1 and/CCONJ/cc/6 do/AUX/aux/6 not/PART/advmod/6 wait/VERB!/conj/1 ."
DASH = (
    "They/PRON/nsubj/2 dined/VERB*/root/0 – songs/NOUN/nsubj/7 and/CCONJ/cc/6 dances/NOUN/conj/4 "
    "followed/VERB*/parataxis/2 ."
)
NOUNS = (
    "She/PRON/nsubj/2 plays/VERB*/root/0 piano/NOUN/obj/2 and/CCONJ/cc/6 brothers/NOUN/obl/2 "
    "sing/VERB*/conj/2 ."
)
FREELY = (
    "Talks/NOUN/nsubj/3 will/AUX*/aux/3 end/VERB/root/0 today/NOUN/obl/3 and/CCONJ/cc/8 experts/NOUN/nsubj/8 "
    "then/ADV/advmod/8 discuss/VERB*/conj/3 climate/NOUN/obj/8 policy/NOUN/obj/8 "
    "with/ADP/case/12 ministers/NOUN/obl/8 ."
)

DIRECT, NEAR, ACROSS = "Direct Insertion", "Changes Near Split", "Changes Across Sentence"
CASES = [
    # long, halves, category
    (RECITALS, "It rained.", "There is a need for roofs.", DIRECT),
    (JOINED, "It rained .", "We stayed .", DIRECT),
    (OPENED, "In June it rained .", "We stayed .", DIRECT),
    (SPLICED, "Rents rose .", "Many people who rented there moved homes .", DIRECT),
    (QUESTION, "Rats flee .", "Does that mean fear ?", DIRECT),
    (COLON, "We knew it .", "Everyone paid .", DIRECT),
    (FRENCH, "Il pleuvait .", "Les enfants restaient ici .", DIRECT),
    (HOWEVER, "It rained .", "However , we stayed inside .", DIRECT),
    (IMPERATIVES, "Wait here .", "Respect your colleagues .", DIRECT),
    (TWO_IMPERATIVES, "Twist caps .", "Use brushes .", DIRECT),
    (UNTAGGED, "They work together .", "We trust them .", DIRECT),
    (TAG_QUESTION, "It 's cold today .", "Is n't it ?", DIRECT),
    (WHEN, "They sang .", "When it rained , they left .", DIRECT),
    (GOING, "They sang .", "When going , they left .", DIRECT),
    (LOSES, "Prices fell sharply .", "Shops lose now .", DIRECT),
    (HANGING, "We met Ann who sings .", "If it rains , she reads .", DIRECT),
    (ORDER, "We met Ann .", "Ask her .", DIRECT),
    (OWN, "Now they so waited here .", "We both stayed .", DIRECT),
    (FORBIDDEN, "Lock doors .", "Do not wait .", DIRECT),
    (DASH, "They dined .", "Songs and dances followed .", DIRECT),
    # two words changed sides, as free renderings of two full clauses have it
    (
        FREELY,
        "Climate policy talks will end today .",
        "Experts then discuss things with ministers .",
        DIRECT,
    ),
    (
        FREELY.replace("and/CCONJ/cc/8", ";"),
        "Climate policy talks will end today .",
        "Experts then discuss things with ministers .",
        DIRECT,
    ),
    (SCIENCE, "We met Ann .", "She is an editor who writes books .", NEAR),
    (TOLD, "What did happen ?", "Ann asked .", DIRECT),
    (WHOSE, "They hired cooks .", "Their songs pleased us .", NEAR),
    (VERSUS, "Courts cite Brown v.", "Board often .", NEAR),
    (LIST, "We bought fruit .", "It was apples and plums .", NEAR),
    (PREDICATES, "She lit it .", "She made tea .", NEAR),
    (RELATIVE, "They hired cooks .", "The cooks sang it .", NEAR),
    (SAID, "Prices fell sharply .", "That is what officials say .", NEAR),
    (SAID_FIRST, "Prices fell .", "That is what officials say .", NEAR),
    (SAID_LATER, "Prices fell sharply .", "That is what officials say yesterday .", NEAR),
    (APPOSED, "We met Ann .", "She is an editor here .", NEAR),
    (ALTHOUGH, "It rained .", "They played all the same .", ACROSS),
    (EMBEDDED, "The mill was built there .", "It feeds towns .", ACROSS),
    (INSERTED, "Paul was a quiet man .", "He told us .", ACROSS),
    (SUBJECT_AS_ROOT, "Cats are old .", "They sleep much .", ACROSS),
    (BECAUSE, "Rain fell heavily .", "So they stayed .", ACROSS),
    (FRONTED, "There were storms .", "Then boats sailed home .", ACROSS),
    (MIXED, "Storms stopped trains .", "They broke windows nearby .", ACROSS),
    # the order is reversed, or one half says all of it
    (RELATIVE, "It was sung by cooks .", "They hired them .", ACROSS),
    (JOINED, "It rained and we stayed .", "That was bad .", ACROSS),
]


@pytest.mark.parametrize(("long", "first", "second", "category"), CASES)
def test_the_category(long: str, first: str, second: str, category: str) -> None:
    assert label_pair(parsed(tree(long), flat(first), flat(second))).category == category


@pytest.mark.parametrize(
    ("second", "category"),
    [
        ("Her/PRON/nmod:poss/2 brothers/NOUN/nsubj/3 sing/VERB*/root/0 .", DIRECT),
        ("She/PRON/nsubj/2 plays/VERB*/root/0 brothers/NOUN/obj/2 .", NEAR),
    ],
)
def test_the_second_half_shows_a_subject_that_the_parser_missed(second: str, category: str) -> None:
    assert (
        label_pair(parsed(tree(NOUNS), flat("She plays piano ."), tree(second))).category
        == category
    )


def test_a_verb_that_the_parser_missed_is_seen_where_both_begin_alike() -> None:
    long = tree(NOUNS.replace("sing/VERB*/conj/2", "sing/NOUN/conj/3"))
    for verb, category in (("sing", DIRECT), ("bring", NEAR)):
        second = tree(f"Brothers/NOUN/nsubj/2 {verb}/VERB*/root/0 well/ADV/advmod/2 .")
        assert label_pair(parsed(long, flat("She plays piano ."), second)).category == category


@pytest.mark.parametrize(("tag", "category"), [("VB", DIRECT), ("VBN", ACROSS)])
def test_a_command_that_opens_the_sentence_is_a_clause(tag: str, category: str) -> None:
    long = tree("Wait/VERB/ccomp/5 , they/PRON/nsubj/5 may/AUX*/aux/5 leave/VERB/root/0 .")
    long = replace(long, tags=(tag, *long.tags[1:]))
    assert label_pair(parsed(long, flat("Wait ."), flat("They may leave ."))).category == category


def test_all_labels_of_a_pair() -> None:
    pair = parsed(tree(OPENED), flat("In June it rained ."), flat("We stayed ."))
    assert label_pair(pair) == (DIRECT, DIRECT, "conjunction with subject", 5)


def test_reversed_halves_keep_the_position_where_the_two_parts_meet() -> None:
    labels = label_pair(
        parsed(tree(BECAUSE), flat("Rain fell heavily ."), flat("So they stayed ."))
    )
    assert labels == (ACROSS, NEAR, "subordinate clause or preposition", 2)


@pytest.mark.parametrize(("long", "first", "second"), [
    (tree("./PUNCT/root/0"), ".", "."),
    (tree(JOINED), "It rained and we stayed .", "That was bad ."),
    (tree(JOINED), "What happened ?", "It rained and we stayed ."),
    (tree(FRENCH), "Où étaient-ils ?", "Il pleuvait , les enfants restaient ici ."),
    (flat("« Ya llegamos » ."), "Ya llegamos .", "Eso nos dijo ella ."),
    (flat("Sie kommt ."), "„ Sie kommt .", "Das war alles ."),
])  # fmt: skip
def test_a_sentence_whose_words_belong_to_one_half_has_none(
    long: Parse, first: str, second: str
) -> None:
    assert label_pair(parsed(long, flat(first), flat(second))).split_at is None


@given(
    *[
        st.lists(
            st.sampled_from(["It", "rained", "we", "stayed", "—", "。", "雨", ";", "."]), min_size=1
        )
    ]
    * 3
)
def test_a_position_has_words_on_both_sides(
    long: list[str], first: list[str], second: list[str]
) -> None:
    at = label_pair(parsed(*(flat(" ".join(tokens)) for tokens in (long, first, second)))).split_at
    assert at is None or (any(map(is_word, long[:at])) and any(map(is_word, long[at:])))
