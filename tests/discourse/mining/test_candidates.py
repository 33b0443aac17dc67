"""Candidates of Discovery: which sentences open with a marker, what is left of them, what is left out and why."""

from collections import Counter
from dataclasses import replace
from itertools import count
from typing import Literal

import pytest
from factories import flat, source, tree

from bitext_pivot.core.records import ParsedSentence, Sentence
from bitext_pivot.discourse.mining.candidates import (
    UNMARKED,
    CandidateSettings,
    MarkerMatch,
    find_candidates,
    find_marker,
)

ALL = CandidateSettings(common_share=1, unmarked_share=1)
MEASURED = "bitext_pivot.discourse.mining.candidates.has_fragment_rules"


@pytest.fixture(autouse=True)
def without_fragments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sentences without a tree pass: most tests here need none."""
    monkeypatch.setattr(MEASURED, lambda language: False)


def never(text: str) -> bool:
    return False


def sentence(
    words: str, position: int, *, document: str = "a.xml", language: str = "en"
) -> ParsedSentence:
    parse = flat(words)
    text = " ".join(parse.tokens)
    one = Sentence(
        id=f"C/v1/{language}/{document}:{position}", source=source("C", document), language=language,
        paragraph=1, position=position, text=text,
    )  # fmt: skip
    return ParsedSentence(sentence=one, parse=parse)


def document(*texts: str, language: str = "en") -> list[ParsedSentence]:
    return [sentence(text, n, language=language) for n, text in zip(count(1), texts, strict=False)]


FIRST = "The lamp went out ."


@pytest.mark.parametrize(
    ("text", "marker", "found", "second"),
    [
        ("Sadly/ADV , nobody had noticed it .", "sadly,", "adverb", "Nobody had noticed it ."),
        ("However , nobody had noticed it .", "however", "list", "Nobody had noticed it ."),
        ("However nobody had noticed it .", "however", "list", "Nobody had noticed it ."),
        ("In fact , nobody had noticed it .", "in_fact,", "list", "Nobody had noticed it ."),
        ("In fact nobody had noticed it .", UNMARKED, "none", "In fact nobody had noticed it ."),
        ("On the other hand , McEwan noticed it .", "on_the_other_hand", "list", "McEwan noticed it ."),
        ("In the meantime , nobody noticed it .", "in_the_meantime,", "list", "Nobody noticed it ."),
        ("And nobody noticed it .", "and", "list", "Nobody noticed it ."),
        ("Andrew had noticed it .", UNMARKED, "none", "Andrew had noticed it ."),
        ("Afterwards/ADV nobody had noticed it .", UNMARKED, "none", "Afterwards nobody had noticed it ."),
        ("Paris/PROPN , nobody had noticed it .", UNMARKED, "none", "Paris , nobody had noticed it ."),
        ("sadly/ADV , nobody had noticed it .", UNMARKED, "none", "Sadly , nobody had noticed it ."),
        ("Sadly/ADV nobody had noticed it .", UNMARKED, "none", "Sadly nobody had noticed it ."),
    ],
)  # fmt: skip
def test_markers(text: str, marker: str, found: str, second: str) -> None:
    (pair,) = find_candidates(document(FIRST, text), ALL, never, Counter())
    assert (pair.marker, pair.found, pair.second, pair.first) == (
        marker,
        found,
        second,
        "The lamp went out .",
    )
    assert (pair.original, pair.id) == (" ".join(flat(text).tokens), "C/v1/en/a.xml:1-2")
    assert (pair.source.document, pair.positions, pair.rejected_by) == ("a.xml", (1, 2), None)


def test_a_pair_that_does_not_give_its_sentence_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut = MarkerMatch("however", "list", 4)
    monkeypatch.setattr("bitext_pivot.discourse.mining.candidates.find_marker", lambda *_: cut)
    (pair,) = find_candidates(
        document(FIRST, "However , nobody had noticed it ."), ALL, never, Counter()
    )
    assert (pair.second, pair.rejected_by) == (
        "Noticed it .",
        "self-check: marker and rest are not the sentence",
    )


@pytest.mark.parametrize(
    ("language", "markers", "text", "marker"),
    [
        ("fr", None, "Malheureusement/ADV , personne ne l' avait vu .", "malheureusement,"),
        ("fr", None, "En fait , personne ne l' avait vu .", UNMARKED),
        ("fr", ["en fait,", "mais"], "En fait , personne ne l' avait vu .", "en_fait,"),
        ("fr", ["en fait,", "mais"], "Mais personne ne l' avait vu .", "mais"),
        (
            "de",
            ["en_fait,", "ärgerlicherweise"],
            "Ärgerlicherweise sah es niemand mehr .",
            "ärgerlicherweise",
        ),
        ("en", [], "In fact , nobody had noticed it .", UNMARKED),
    ],
)
def test_other_languages_have_adverbs_and_the_users_list(
    language: str, markers: list[str] | None, text: str, marker: str
) -> None:
    assert find_marker(flat(text), language, CandidateSettings(markers=markers)).name == marker


def test_phrases_are_an_option() -> None:
    parse = flat("In/ADP addition/NOUN , nobody had noticed it .")
    assert find_marker(parse, "en", CandidateSettings()).name == UNMARKED
    assert find_marker(parse, "en", CandidateSettings(phrases=True)).name == "in_addition,"
    verb = flat("After/ADP eating/VERB , nobody had noticed it .")
    assert find_marker(verb, "en", CandidateSettings(phrases=True)).name == UNMARKED


@pytest.mark.parametrize(
    ("profile", "language", "text", "reason"),
    [
        ("strict", "en", "Personally/ADV , I had not noticed it .", "marker off in strict"),
        ("faithful", "en", "Personally/ADV , I had not noticed it .", None),
        ("strict", "en", "This , however , nobody had noticed .", "marker off in strict"),
        ("faithful", "en", "This , however , nobody had noticed .", None),
        ("strict", "en", "Still , nobody had noticed it .", None),
        ("strict", "nl", "Misschien/ADV , dacht ze bij zichzelf .", None),
    ],
)
def test_strict_rejects_markers_that_seldom_relate_sentences(
    profile: Literal["strict", "faithful"], language: str, text: str, reason: str | None
) -> None:
    (pair,) = find_candidates(
        document(FIRST, text, language=language),
        CandidateSettings(profile=profile),
        never,
        Counter(),
    )
    assert pair.rejected_by == reason


def test_question_words_are_no_markers() -> None:
    parse = flat("Why/ADV , then , had nobody noticed it ?")
    assert find_marker(parse, "en", CandidateSettings()).name == "why,"  # nothing says that it asks
    by_tag = replace(parse, tags=("WRB", *parse.tags[1:]))
    by_feature = replace(parse, morphs=("PronType=Int", *parse.morphs[1:]))
    for question in (by_tag, by_feature):
        assert find_marker(question, "en", CandidateSettings()).name == UNMARKED


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (FIRST, "However , no .", "fewer than 3 words behind the marker"),
        ("No !", "However , nobody had noticed it .", "length"),
        (FIRST, "However , " + "very " * 31 + "late .", "length"),
        (FIRST, "However , nobody ( had noticed it .", "brackets or quotation marks left open"),
        (FIRST, "However , nobody ) had ( noticed it .", "brackets or quotation marks left open"),
        (
            'The " lamp went out .',
            "However , nobody had noticed it .",
            "brackets or quotation marks left open",
        ),
        ("1 + 22 = 33 , 4 + 5 = 9 .", "However , nobody had noticed it .", "few letters"),
        ("THE LAMP WENT OUT .", "However , nobody had noticed it .", "mostly capitals"),
        ("La lampe s' était éteinte .", "However , nobody had noticed it .", "other language"),
    ],
)
def test_reasons(first: str, second: str, reason: str) -> None:
    skips = Counter[str]()
    (pair,) = find_candidates(document(first, second), ALL, lambda text: "lampe" in text, skips)
    assert pair.rejected_by == reason and not skips


def test_only_neighbours_of_one_document_are_pairs() -> None:
    however = "However , nobody had noticed it ."
    rows = [sentence(FIRST, 1), sentence(however, 3), sentence(however, 4, document="b.xml")]
    skips = Counter[str]()
    assert not list(find_candidates(rows, ALL, never, skips)) and not skips


def test_shares_are_drawn_by_identifier_and_counted() -> None:
    rows = [sentence(FIRST if n % 2 else "But nobody had noticed it .", n) for n in range(2000)]
    skips = Counter[str]()
    kept = list(
        find_candidates(
            rows, CandidateSettings(common_share=0.1, unmarked_share=0.02), never, skips
        )
    )
    number = Counter(pair.marker for pair in kept)
    assert 60 < number["but"] < 140 and 8 < number[UNMARKED] < 40
    assert skips["not drawn: and, but"] == 999 - number["but"]  # row 0 has none before it
    assert skips["not drawn: no marker"] == 1000 - number[UNMARKED]
    again = [pair for half in (rows[:1001], rows[1000:]) for pair in find_candidates(
        half, CandidateSettings(common_share=0.1, unmarked_share=0.02), never, Counter())]  # fmt: skip
    assert again == kept


WHOLE = "It/PRON/nsubj/2 rained/VERB*/root/0 ."
FRAGMENT = "Because/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/root/0 ."
MARKED = "However/ADV/advmod/4 , it/PRON/nsubj/4 rained/VERB*/root/0 ."
MARKED_FRAGMENT = (
    "However/ADV/advmod/5 , because/SCONJ/mark/5 it/PRON/nsubj/5 rained/VERB*/root/0 ."
)


@pytest.mark.parametrize(
    ("first", "second", "profile", "reason"),
    [
        (WHOLE, MARKED, "strict", None),
        (FRAGMENT, MARKED, "strict", "no main clause"),
        (WHOLE, MARKED_FRAGMENT, "strict", "no main clause"),
        (FRAGMENT, MARKED_FRAGMENT, "faithful", None),
    ],
)
def test_strict_rejects_sentences_without_a_main_clause(
    first: str,
    second: str,
    profile: Literal["strict", "faithful"],
    reason: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MEASURED, lambda language: True)
    parses = [tree(first), tree(second)]
    sentences = [
        replace(record, parse=parse)
        for record, parse in zip(document(FIRST, "However , it rained ."), parses, strict=True)
    ]
    settings = CandidateSettings(profile=profile, common_share=1, unmarked_share=1)
    (pair,) = find_candidates(sentences, settings, never, Counter())
    assert pair.rejected_by == reason


@pytest.mark.parametrize(
    "word", ["Publicly", "Financially", "Increasingly", "Legally", "Globally", "Worldwide"]
)
def test_strict_rejects_adverbs_that_are_not_known_to_link(word: str) -> None:
    texts = document(FIRST, f"{word}/ADV , nobody had noticed it .")
    (strict,) = find_candidates(texts, ALL, never, Counter())
    (faithful,) = find_candidates(
        texts, ALL.model_copy(update={"profile": "faithful"}), never, Counter()
    )
    assert (strict.rejected_by, faithful.rejected_by) == ("marker off in strict", None)


@pytest.mark.parametrize(
    "word", ["Sadly", "Ironically", "Subsequently", "Admittedly", "Worse", "Notably"]
)
def test_strict_keeps_adverbs_that_are_known_to_link(word: str) -> None:
    (pair,) = find_candidates(
        document(FIRST, f"{word}/ADV , nobody had noticed it ."), ALL, never, Counter()
    )
    assert (pair.marker, pair.rejected_by) == (f"{word.lower()},", None)


def test_adverbs_of_other_languages_are_kept() -> None:
    texts = document("La luz se apagó .", "Públicamente/ADV , nadie lo vio .", language="es")
    (pair,) = find_candidates(texts, ALL, never, Counter())
    assert pair.rejected_by is None
