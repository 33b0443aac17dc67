from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from factories import source
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext_pivot.alignments.extraction import AlignmentBatch, Extraction, text_skip_reason
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.xces import reader as module
from bitext_pivot.alignments.xces.reader import extract_alignments
from bitext_pivot.core.records import Alignment

Corpus = Callable[..., tuple[Release, ReleaseFiles]]

GROUP = '<linkGrp targType="s" fromDoc="en/{0}.xml.gz" toDoc="fr/{0}.xml.gz">{1}</linkGrp>'


def _group(document: str, *targets: str) -> str:
    return GROUP.format(document, "\n".join(f'<link xtargets="{target}" />' for target in targets))


def _document(**sentences: str) -> str:
    return (
        "<text>"
        + "".join(f'<s id="{name[1:]}">{text}</s>' for name, text in sentences.items())
        + "</text>"
    )


def _all(written: tuple[Release, ReleaseFiles], **settings: int) -> list[AlignmentBatch]:
    return list(extract_alignments(written[1], Extraction(**settings), licence="CC0-1.0"))


def _skips(batches: list[AlignmentBatch]) -> Counter[str]:
    return sum((batch.skips for batch in batches), Counter())


def test_a_link_of_either_shape_becomes_an_alignment_with_source(corpus: Corpus) -> None:
    links = GROUP.format(
        "a",
        '<link xtargets="1;1 2" id="SL1" score="0.5"/><link xtargets="2;3"/><link certainty="1" xtargets="3 4;4"/>',
    )
    written = corpus(
        links,
        {
            "a.xml": _document(
                _1="It rained &amp; we left.", _2="Good.", _3="We came home.", _4="We slept."
            )
        },
        {
            "a.xml": _document(
                _1="Il pleuvait.",
                _2="Nous sommes partis.",
                _3="Bien.",
                _4="Rentrés, nous avons dormi.",
            )
        },
    )
    (batch,) = _all(written)
    assert batch.alignments == (
        Alignment(
            id="Tiny/v1/en-fr:1", one_language="en", two_language="fr", one="It rained & we left.",
            two=("Il pleuvait.", "Nous sommes partis."),
            source=source("Tiny", "en/a.xml", "fr/a.xml"), one_id="1", two_ids=("1", "2"),
            attributes={"id": "SL1", "score": "0.5"},
        ),
        Alignment(
            id="Tiny/v1/en-fr:3", one_language="fr", two_language="en", one="Rentrés, nous avons dormi.",
            two=("We came home.", "We slept."),
            source=source("Tiny", "fr/a.xml", "en/a.xml"), one_id="4", two_ids=("3", "4"),
            attributes={"certainty": "1"},
        ),
    )  # fmt: skip
    assert batch.shapes == {"1-1": 1, "1-2": 1, "2-1": 1}
    assert batch.skips == Counter()


def test_the_two_sentences_come_in_the_order_of_the_link(corpus: Corpus) -> None:
    written = corpus(
        _group("a", "1;8 5"),
        {"a.xml": _document(_1="Both.")},
        {"a.xml": _document(_5="Cinq.", _8="Huit.")},
    )
    (batch,) = _all(written)
    assert (batch.alignments[0].two, batch.alignments[0].two_ids) == (
        ("Huit.", "Cinq."),
        ("8", "5"),
    )


EN = {"a.xml": _document(_1="One.", _2="", _3="Three."), "b.xml": _document(_1="Other.")}
FR = {
    "a.xml": _document(
        _1="Un.", _2="Deux.", _4="x" * 12, _5="y" * 11, _6="a\ufffdb", _7="a\x81b", _8=" \n "
    )
}


@pytest.mark.parametrize(
    ("links", "reason"),
    [
        (_group("a", "1;1 9"), "missing sentence id"),
        (_group("a", "9;1 2"), "missing sentence id"),
        (_group("a", "1 9;1"), "missing sentence id"),
        (_group("a", "2;1 2"), "empty sentence"),
        (_group("a", "1;1 8"), "empty sentence"),
        (_group("a", "1;4 1"), "too long"),
        (_group("a", "1;1 6"), "undecodable characters"),
        (_group("a", "1;1 7"), "control characters"),
        (_group("b", "1;1 2"), "missing document"),
        (_group("c", "1;1 2"), "missing document"),
        (_group("a", "1;1;2"), "bad link"),
        (GROUP.format("a", '<link id="1"/>'), "bad link"),
        ('<link xtargets="1;1 2"/>', "bad link"),
    ],
)
def test_unusable_links_are_counted_by_reason(corpus: Corpus, links: str, reason: str) -> None:
    batches = _all(corpus(links + _group("a", "1;1 2"), EN, FR), max_characters=11)
    assert _skips(batches) == {reason: 1}
    assert [alignment.two for batch in batches for alignment in batch.alignments] == [
        ("Un.", "Deux.")
    ]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ('<text><s id="1">A</text>', "unreadable document: not well-formed"),
        (
            '<!DOCTYPE t [<!ENTITY a "b">]><t><s id="1">&a;</s></t>',
            "unreadable document: declares entities",
        ),
    ],
)
def test_an_unreadable_document_costs_its_own_candidates_only(
    corpus: Corpus, document: str | bytes, reason: str
) -> None:
    links = _group("bad", "1;1 2", "1;1", "2 3;3") + _group("a", "1;1 2")
    batches = _all(corpus(links, {**EN, "bad.xml": _document(_1="A")}, {**FR, "bad.xml": document}))
    assert [(len(batch.alignments), batch.skips) for batch in batches] == [
        (0, {reason: 2}),
        (1, {}),
    ]


def test_a_document_without_candidates_is_not_opened(corpus: Corpus) -> None:
    (batch,) = _all(corpus(_group("nowhere", "1;1", ";2", "2 3;3 4"), EN, FR))
    assert batch == AlignmentBatch((), Counter({"1-1": 1, "0-1": 1, "2-2": 1}), Counter())


def test_the_length_itself_stays_and_one_more_goes() -> None:
    assert text_skip_reason("a" * 2_000, 2_000) is None
    assert text_skip_reason("a" * 2_001, 2_000) == "too long"


@pytest.mark.parametrize("text", ["a\0", "a\x1bb", "\x7f", "\x85a", "\ud800", "\uffff"])
def test_a_control_character_or_lone_surrogate_is_seen(text: str) -> None:
    assert text_skip_reason(text, 10) == "control characters"


@pytest.mark.parametrize(
    "text", ["a\tb", "é", "e\u0301", "soft\u00adhyphen", "\U0001f600", "zero\u200dwidth", "نص"]
)
def test_other_unicode_is_left_alone(text: str) -> None:
    assert text_skip_reason(text, 20) is None


LINKS = _group("a", "1;1 2", "1;1") + _group("b", "1;1 2") + _group("a", "3;1 2", "1 3;1", ";1")


@pytest.mark.parametrize("max_links", [1, 2, 3, 4, 6, 9])
def test_no_more_links_are_read_than_asked_for(corpus: Corpus, max_links: int) -> None:
    batches = _all(corpus(LINKS, EN, FR), max_links=max_links)
    assert sum(sum(batch.shapes.values()) for batch in batches) == min(max_links, 6)


def test_a_document_of_many_candidates_comes_in_parts_without_loss(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_CANDIDATES", 3)
    batches = _all(corpus(_group("a", *["1;1 2", "1;1"] * 10), EN, FR))
    assert [len(batch.alignments) for batch in batches] == [3, 3, 3, 1]
    assert [batch.shapes.total() for batch in batches] == [5, 6, 6, 3]


_SIDE = st.lists(st.sampled_from(["1", "2", "3", "404", "empty"]), max_size=3)


@given(
    st.lists(
        st.tuples(st.sampled_from("abz"), st.lists(st.tuples(_SIDE, _SIDE), max_size=5)),
        min_size=1,
        max_size=5,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_link_is_in_the_books_once(corpora: Corpus, groups: list[Any]) -> None:
    targets = [target for _, some in groups for target in some]
    if not targets:
        return
    links = "".join(
        _group(name, *(f"{' '.join(a)};{' '.join(b)}" for a, b in some)) for name, some in groups
    )
    documents = {
        f"{name}.xml": _document(_1="One.", _2="Two.", _3="Three.", _empty="") for name in "ab"
    }
    batches = _all(corpora(links, documents, documents))
    shapes = sum((batch.shapes for batch in batches), Counter())
    numbers = [
        int(alignment.id.partition(":")[2]) for batch in batches for alignment in batch.alignments
    ]
    assert shapes == Counter(f"{len(a)}-{len(b)}" for a, b in targets)
    assert shapes["1-2"] + shapes["2-1"] == len(numbers) + _skips(batches).total()
    assert all(first < second for first, second in pairwise(numbers))
