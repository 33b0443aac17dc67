"""Filters that look at many pairs at once say what the plain rules say of each."""

import dataclasses
from pathlib import Path

import pytest
from factories import flat, pair, parsed
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_rules import RULES

from filters.addition import Addition
from filters.base import Filter
from filters.batch import Batch
from filters.components import Components
from filters.sieve import Filters, Sieve
from pairs import shards
from pairs.parsing import Parser, load, parse_pairs
from pairs.records import Parse, ParsedPair

MODEL = Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud"
FILTERS = {name: one for name, one in Filters() if isinstance(one, Filter) and not one.dear}
MEASURED = {name: FILTERS[name] for name in RULES}
PIECES = [
    "cat", "Dogs", "the", "of", "Paris", "Parisian", "résumé", "Straße", "états", "les", "und", "nicht", "na", "не",
    "это", "我们", "1", "07", "000", "1,000", "1996", "١٩", "٣", "a", "I", ".", ",", "-", "…", "(EC)", "(s)", "(", ")",
    "[", "]", "<b>", "&amp;", "DE", "“", "”", "–", "!", "?", ":", "\u00a0", "\U0001f600", "word.Then", "ab(c).de",
    "antidisestablishment",
]  # fmt: skip
POS = ["NOUN", "VERB", "AUX", "PROPN", "ADP", "NUM", "PUNCT", "X"]
TEXT = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " ", " "])), min_size=1, max_size=9)


@st.composite
def sides(draw: st.DrawFn) -> tuple[str, Parse]:
    """A text of pieces, with blanks between them or without, and a parse of what stands between blanks.

    Some words are roots, and the others hang from the first.
    """
    text = "".join(piece + blank for piece, blank in draw(TEXT)).strip() or "cat"
    words = text.split(" ")
    parse = flat(" ".join(f"{word}/{draw(st.sampled_from(POS))}" for word in words if word) or "cat/NOUN")
    heads = tuple(draw(st.sampled_from([0, 0, 0, place])) for place in range(len(parse.tokens)))
    return text, dataclasses.replace(parse, heads=heads)


@st.composite
def pairs(draw: st.DrawFn) -> ParsedPair:
    """A pair; now and then a half repeats the long sentence, in part or twice."""
    (long, one), (first, two), (second, three) = draw(st.tuples(sides(), sides(), sides()))
    if draw(st.booleans()):
        first, two = long, one
    language = draw(st.sampled_from(["en", "fr", "de", "zh", "fi", "xx"]))
    return ParsedPair(pair=pair(long, first, second, language=language), long=one, split=(two, three))


@given(st.lists(pairs(), max_size=4))
def test_a_filter_says_of_many_pairs_what_its_rule_says_of_each(some: list[ParsedPair]) -> None:
    batch = Batch(some)
    assert {name: one.score(batch) for name, one in MEASURED.items()} == {
        name: [rule(one) for one in some] for name, rule in RULES.items()
    }


@given(st.lists(pairs(), max_size=4))
def test_a_score_does_not_depend_on_the_other_pairs(some: list[ParsedPair]) -> None:
    for one in FILTERS.values():
        assert one.score(some) == [score for alone in some for score in one.score([alone])]


def test_a_shard_gives_what_its_records_give(tmp_path: Path) -> None:
    @settings(max_examples=50)
    @given(st.lists(pairs(), min_size=1, max_size=4))
    def law(some: list[ParsedPair]) -> None:
        shards.write(tmp_path / "a.parquet", ParsedPair, some)
        (stored,) = shards.read_parsed(tmp_path / "a.parquet")
        assert Sieve().cheap(stored) == Sieve().cheap(some)

    law()


def test_no_pairs_have_no_scores() -> None:
    assert {name: one.score([]) for name, one in FILTERS.items()} == {name: [] for name in FILTERS}


def test_a_batch_is_a_sequence_of_its_pairs_and_no_batch_of_a_batch() -> None:
    some = [parsed(flat("a"), flat("b"), flat("c")), parsed(flat("d"), flat("e"), flat("f"))]
    batch = Batch(some)
    assert [*batch] == some
    assert batch[1:] == some[1:]
    assert len(batch) == 2
    assert Batch.of(batch) is batch
    assert [*Batch.of(some)] == some


def test_a_sentence_without_a_token_has_scores_too() -> None:
    empty = Parse(tokens=(), starts=(), lemmas=(), tags=(), pos=(), morphs=(), deps=(), heads=(), scheme="ud")
    some = [ParsedPair(pair=pair("a", "b", "c"), long=empty, split=(empty, flat("a"))), parsed(*[flat("a/NOUN")] * 3)]
    assert {name: one.score(some) for name, one in MEASURED.items() if name != "verbs"} == {
        name: [rule(one) for one in some] for name, rule in RULES.items() if name != "verbs"
    }


@pytest.mark.shared
@pytest.mark.quickstart
@pytest.mark.parametrize("table", ["bisect_test_visible.tsv", "bisect_orig_visible.tsv"])
def test_on_published_pairs_too(shared: Path, table: str) -> None:
    lines = (shared / "eval" / table).read_text(encoding="utf-8").splitlines()[1:151]
    texts = [
        (row[0], *(half.strip() for half in row[1].split("<SEP>"))) for row in (line.split("\t") for line in lines)
    ]
    some, _ = parse_pairs([pair(*three) for three in texts], load(Parser(pipeline=str(MODEL)), "en"))
    swapped = [
        ParsedPair(pair=pair(one.pair.long, *other.pair.split), long=one.long, split=other.split)
        for one, other in zip(some, some[70:] + some[:70], strict=True)
    ]
    batch = Batch([*some, *swapped])
    for name, one in MEASURED.items():
        assert one.score(batch) == [RULES[name](pair) for pair in batch], name


def test_roots_are_counted_where_they_are_asked_for() -> None:
    one = parsed(flat("a b"), flat("a"), flat("b"))
    assert [Components(count=count).score([one]) for count in ("roots", "sentences")] == [[1.0], [1.0]]
    assert Addition().score([one]) == [0.0]
