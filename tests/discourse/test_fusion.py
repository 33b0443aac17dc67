"""Rules of DiscoFuse on sentences of our own, parsed by the pipeline of the quickstart."""

from pathlib import Path

import pytest
from factories import tree
from fusion_rules import matching_rules

from bitext_pivot.discourse.coreference import RESOLVERS
from bitext_pivot.discourse.fusion.rules import RULES, Profile, unfuse_pair, unfuse_sentence
from bitext_pivot.discourse.inflection import finite_form
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_texts

MODEL = Path(__file__).parents[2] / "quickstart/models/spacy-en-ud"
pytestmark = pytest.mark.quickstart


def grammars(pipeline: SpacyPipeline, *texts: str) -> list[DependencyTree]:
    return [
        DependencyTree(parse, "en")
        for parse in parse_texts(texts, pipeline)
        if not isinstance(parse, str)
    ]


SINGLE = [
    ("The baker , who lived in Bonn , sold his shop .", "SINGLE_RELATIVE", "",
     "The baker sold his shop .", "The baker lived in Bonn ."),
    ("We stayed at home because it rained .", "SINGLE_CONN_INNER", "because", "We stayed at home .", "It rained ."),
    ("Anna closed the shop because she was ill .", "SINGLE_CONN_INNER_ANAPHORA", "because",
     "Anna closed the shop .", "Anna was ill ."),
    ("Although the road was closed , we arrived in time .", "SINGLE_CONN_START", "although",
     "The road was closed .", "We arrived in time ."),
    ("Leaving the house , Maria locked the door .", "SINGLE_CATAPHORA", "",
     "Maria left the house .", "Maria locked the door ."),
    ("Fearing the storm , fishermen stay at home .", "SINGLE_CATAPHORA", "",
     "Fishermen fear the storm .", "Fishermen stay at home ."),
    ("The river , a border for centuries , is now clean .", "SINGLE_APPOSITION", "",
     "The river is now clean .", "The river is a border for centuries ."),
    ("The sun came out , and the children ran to the lake .", "SINGLE_S_COORD", ", and",
     "The sun came out .", "The children ran to the lake ."),
    ("The company closed the plant in May and sold the land .", "SINGLE_VP_COORD", "and",
     "The company closed the plant in May .", "The company sold the land ."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "connective", "first", "second"), SINGLE)
def test_a_sentence_is_divided_by_the_rule_of_its_phenomenon(
    pipeline: SpacyPipeline, text: str, kind: str, connective: str, first: str, second: str
) -> None:
    (sentence,) = grammars(pipeline, text)
    result = unfuse_sentence(sentence, "faithful")
    assert result is not None
    assert (result.discourse_type, result.connective, result.first, result.second) == (
        kind,
        connective,
        first,
        second,
    )
    assert result.has_pronoun == kind.endswith("ANAPHORA")
    assert matching_rules(sentence)[0] == kind.removesuffix("_ANAPHORA")


@pytest.mark.parametrize(
    ("profile", "kind"), [("faithful", "SINGLE_S_COORD"), ("strict", "SINGLE_VP_COORD")]
)
def test_a_second_copula_is_a_coordinated_sentence_as_released(
    pipeline: SpacyPipeline, profile: Profile, kind: str
) -> None:
    (sentence,) = grammars(pipeline, "The school closed in May and is now a museum .")
    result = unfuse_sentence(sentence, profile)
    assert result is not None
    assert (result.discourse_type, result.second) == (kind, "The school is now a museum .")


PAIRS = [
    (
        "The shop is small .",
        "However , the prices are low .",
        "PAIR_CONN",
        "however ,",
        "The prices are low .",
    ),
    (
        "Peter won the race .",
        "Therefore he got a medal .",
        "PAIR_CONN_ANAPHORA",
        "therefore",
        "Peter got a medal .",
    ),
    (
        "Peter won the race .",
        "His coach was happy .",
        "PAIR_ANAPHORA",
        "",
        "Peter 's coach was happy .",
    ),
    ("Peter won the race .", "The weather was bad .", "PAIR_NONE", "", "The weather was bad ."),
    (
        "The plan failed .",
        "The mayor , however , tried again .",
        "PAIR_CONN",
        ", however ,",
        "The mayor tried again .",
    ),
]


@pytest.mark.parametrize(("first", "second", "kind", "connective", "expected"), PAIRS)
def test_two_neighbours_lose_connective_and_pronoun(
    pipeline: SpacyPipeline, first: str, second: str, kind: str, connective: str, expected: str
) -> None:
    a, b = grammars(pipeline, first, second)
    result = unfuse_pair(a, b, "faithful")
    assert (result.discourse_type, result.connective) == (kind, connective)
    assert (result.first, result.second) == (first, expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Did you stay at home because it rained ?", "question"),
        ("The match ended early because rain .", "not confirmed by the parse"),
        ("We only left just because it rained .", "open end"),
        ("It is clear that the price is high and that the demand is low .", "subordinate clauses"),
        ("Reading the paper , it struck me that nobody was there .", "no action of the subject"),
        (
            "The plan is simple : because we act , the firm will stay .",
            "clause before its main clause",
        ),
        ("The firm will close unless we act .", "no fact without its connective"),
        ("The road was closed , or the bus was late .", "no fact without its connective"),
        ("The firm not only lost money , but it closed its shops .", "half of a connective"),
        ("Some people say that the firm lost money because it grew .", "reported"),
        ("We met the baker , who sold us bread , and the cook .", "not between subject and verb"),
        ("She moved to Bonn , a town on the Rhine , in May .", "not between subject and verb"),
    ],
)
def test_the_profile_strict_rejects_known_faults_and_faithful_does_not(
    pipeline: SpacyPipeline, text: str, reason: str
) -> None:
    (sentence,) = grammars(pipeline, text)
    strict, faithful = unfuse_sentence(sentence, "strict"), unfuse_sentence(sentence, "faithful")
    assert strict is not None
    assert faithful is not None
    assert (strict.rejected_by, faithful.rejected_by) == (reason, None)
    assert (strict.first, strict.second) == (faithful.first, faithful.second)


TREES = [
    ("She/PRON/nsubj/2 hears/VERB*/root/0 that/SCONJ/mark/5 it/PRON/nsubj/5 rains/VERB*/ccomp/2 and/CCONJ/cc/7 "
     "sings/VERB*/conj/2 .", "clause between the verbs"),
    ("It/PRON/nsubj/2 rained/VERB*/root/0 , and/CCONJ/cc/6 then/ADV/advmod/6 came/VERB*/conj/2 "
     "snow/NOUN/nsubj/6 .", "word order"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "reason"), TREES)
def test_a_second_verb_that_may_belong_elsewhere_is_rejected(words: str, reason: str) -> None:
    result = unfuse_sentence(DependencyTree(tree(words), "en"))
    assert result is not None
    assert result.rejected_by == reason


@pytest.mark.parametrize(
    "text", ["", ".", ",", "It rained because of the wind .", "For example , it rained .", ", , ,"]
)
def test_a_sentence_without_a_phenomenon_matches_nothing(
    pipeline: SpacyPipeline, text: str
) -> None:
    for sentence in grammars(pipeline, text):
        assert [name for name, rule in RULES.items() if rule.match(sentence)] == []


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("Peter won the race .", "He was happy .", True),
        ("Mr. Brown won the race .", "He was happy .", True),
        ("Mr. Brown won the race .", "She was happy .", False),
        ("The Bank of Spain raised its rates .", "He was happy .", False),
        ("Peter and Anna won the race .", "She was happy .", False),
        ("Canada lost its best player .", "He was ill .", False),
        ("Peter won the race .", "Martin and his son were late .", False),
        ("Peter won the race .", "On May 3 he was ill .", True),
        ("Peter won the race .", "When he was young , Martin was ill .", False),
        ("Peter won the race .", 'Anna said : " He was lucky . "', False),
        ("Peter won the race .", "Her coach was happy and Peter smiled .", False),
        ("Pears were sold in May .", "He was happy .", False),
        ("Anna won the race .", "He was happy .", False),
        ("Anna Weiss won the race .", "He was happy .", False),
        ("Anna Weiss won the race .", "She was happy .", True),
        ("Richard Weiss won the race .", "She was happy .", False),
        ("Princess Diana won the race .", "He was happy .", False),
        ("Weiss sold her shop .", "He was happy .", False),
        ("Weiss sold her shop .", "She was happy .", True),
        ("Weiss won the race .", "He called her .", False),
        ("Weld County won the race .", "His office was closed .", False),
        ("Stanford University won the race .", "He was happy .", False),
        ("Brown won the race .", "He was happy .", True),
        ("Britain lost the war .", "She was alone .", False),
    ],
)
def test_a_pronoun_stands_for_the_only_possible_person(
    pipeline: SpacyPipeline, first: str, second: str, found: bool
) -> None:
    a, b = grammars(pipeline, first, second)
    assert unfuse_pair(a, b).has_pronoun == found


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("The old bridge was closed .", "It had many cracks .", "The old bridge had many cracks ."),
        ("The farmers were angry .", "They blocked the road .", "The farmers blocked the road ."),
        (
            "Anna and Peter were late .",
            "They missed the train .",
            "Anna and Peter missed the train .",
        ),
        ("The company grew .", "In May its profit fell .", "In May the company 's profit fell ."),
        ("The farmers were angry .", "It rained all day .", None),  # no agreement
        ("She was late .", "It was cold .", None),  # a pronoun as the subject
        ("Peter won the race .", "He was happy .", "Peter was happy ."),
        ("It was late when the bus came .", "It was full .", "The bus was full ."),
        (
            "Miguel Torres was scheduled to fight in May .",
            "However he fell .",
            "Miguel Torres fell .",
        ),
        ("The queen was old .", "Her horse was ill .", "The queen 's horse was ill ."),
        ("The nurse was tired .", "The doctor helped her .", "The doctor helped the nurse ."),
    ],
)
def test_subjects_resolves_it_and_they_to_a_subject_that_agrees(
    pipeline: SpacyPipeline, first: str, second: str, expected: str | None
) -> None:
    a, b = grammars(pipeline, first, second)
    result = unfuse_pair(a, b, resolve=RESOLVERS["subjects"])
    assert result.second == (expected or second)
    assert result.has_pronoun == (expected is not None)


def test_a_quotation_that_ends_a_sentence_gets_no_second_stop(pipeline: SpacyPipeline) -> None:
    a, b = grammars(pipeline, "It rained .", 'However , Anna said : " We go . "')
    assert unfuse_pair(a, b).second == 'Anna said : " We go . "'


def test_the_backend_none_finds_no_pronoun(pipeline: SpacyPipeline) -> None:
    a, b = grammars(pipeline, "Peter won the race .", "He was happy .")
    assert unfuse_pair(a, b, resolve=RESOLVERS["none"]).discourse_type == "PAIR_NONE"
    assert RESOLVERS["rules"](a, range(len(a)), b, range(len(b))) is not None
    other_a, other_b = DependencyTree(a.parse, "nl"), DependencyTree(b.parse, "nl")
    for resolve in RESOLVERS.values():  # Dutch has no words for it
        assert resolve(other_a, range(len(a)), other_b, range(len(b))) is None


@pytest.mark.parametrize(
    ("lemma", "subject", "is_past", "form"),
    [("leave", "she", True, "left"), ("begin", "they", False, "begin"), ("be", "we", True, "were"),
     ("be", "Anna", True, "was"), ("have", "he", False, "has"), ("grow", "I", True, "grew")],
)  # fmt: skip
def test_verbs_agree_with_their_subject(lemma: str, subject: str, is_past: bool, form: str) -> None:
    assert finite_form(lemma, subject, is_past=is_past) == form
