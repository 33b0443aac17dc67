"""Windows, synthetic targets and edit labels, counted by hand from the description of the released code."""

import random
from pathlib import Path
from typing import Any

import pytest
import sacremoses
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Category
from bitext_pivot.syntax.labelling.edits import (
    CLS,
    FILL,
    SEP,
    Tokenize,
    direct_insertion_target,
    edit_labels,
    find_edit_window,
)

TOKENS = st.lists(st.sampled_from("abcdef."), max_size=12)


def sides(long: str, split: str) -> tuple[list[str], tuple[list[str], list[str]]]:
    first, second = split.split("<SEP>")
    return long.split(), (first.split(), second.split())


# long, split, what the window takes out, what it puts in
WINDOWS = {
    "one token before the separator: what it replaces goes, four copied tokens end it": (
        "the bag holds nine jars which should be moved into storage today .",
        "the bag holds nine jars . <SEP> It should be moved into safety today .",
        "which",
        ". <SEP> It",
    ),
    "three copied tokens do not end it": (
        "our soup has garlic and might be heavy on stomachs with allergies .",
        "our soup has garlic . <SEP> It might be heavy for stomachs with allergies .",
        "and might be heavy on",
        ". <SEP> It might be heavy for",
    ),
    "nothing left of a plain full stop is edited": (
        "she sold her car and bought a new bike today .",
        "she gladly sold her car . <SEP> Then bought a new bike today .",
        "and",
        ". <SEP> Then",
    ),
    "more before the separator: two copied tokens end it, one does not": (
        "they shut the shop , so people now walk to town .",
        "they shut the shop for good . <SEP> Therefore people must walk to town .",
        ", so people now",
        "for good . <SEP> Therefore people must",
    ),
    "on the left too": (
        "we keep old red hens and geese there all year .",
        "we keep very red birds . <SEP> And geese there all year .",
        "old red hens and",
        "very red birds . <SEP> And",
    ),
    "the separator alone is a window of its own": ("a b , c d", "a b <SEP> c d", "", "<SEP>"),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_window(name: str) -> None:
    long, split, out, into = WINDOWS[name]
    old, (first, second) = sides(long, split)
    window = find_edit_window(old, first, second)
    assert window is not None
    assert " ".join(old[window.old_start : window.old_end]) == out
    assert " ".join([*first, "<SEP>", *second][window.new_start : window.new_end]) == into


@pytest.mark.parametrize("split", ["x . <SEP> a b c", "a b c . <SEP> x", "x <SEP> y"])
def test_no_window_at_a_separator_in_an_outer_block(split: str) -> None:
    long, halves = sides("a b c", split)
    assert find_edit_window(long, *halves) is None
    assert (
        edit_labels(long, halves, "Changes Near Split", str.split).category
        == "Changes Across Sentence"
    )


@pytest.mark.parametrize(
    ("at", "left", "right"),
    [
        (4, "The NATO met .", "EVRA left ."),
        (5, "The NATO met ; EVRA .", "Left ."),
        (0, ".", "The NATO met ; EVRA left ."),
        (7, "The NATO met ; EVRA left .", ""),
    ],
)
def test_the_target_of_an_insertion_is_the_source_cut(at: int, left: str, right: str) -> None:
    long = ["The", "NATO", "met", ";", "EVRA", "left", "."]
    assert direct_insertion_target(long, at) == (left.split(), right.split())


# Words at the cut are removed, the first word is capitalised, punctuation of the language stays.
CUTS = {
    "German quotation marks": (
        "Er rief : „ Ja “ ; sie kam .",
        "sie",
        "Er rief : „ Ja “ .",
        "Sie kam .",
    ),
    "German guillemets": (
        "Er rief : » Ja « , und sie kam .",
        "und",
        "Er rief : » Ja « .",
        "Und sie kam .",
    ),
    "French guillemets": (
        "Il dit oui ; « viens » , dit-il .",
        "«",
        "Il dit oui .",
        "« Viens » , dit-il .",
    ),
    "English quotation marks": (
        "He left ; “ come ” , he said .",
        "“",
        "He left .",
        "“ Come ” , he said .",
    ),
    "Spanish question marks": ("Se fue , ¿ por qué ?", "¿", "Se fue .", "¿ Por qué ?"),
    "a bracket": ("he ( Jo ) , Ann ate .", "Ann", "he ( Jo ) .", "Ann ate ."),
    "a French elision": ("Il part ; l' ami reste .", "l'", "Il part .", "L' ami reste ."),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_cut_keeps_the_marks_of_the_language(name: str) -> None:
    long, right, first, second = CUTS[name]
    at = long.split().index(right.split()[0])
    assert direct_insertion_target(long.split(), at) == (first.split(), second.split())


SALAD = "we sing and dance when it rains because nobody minds the weather here".split()


RULES: dict[str, Tokenize] = {
    "whitespace": str.split,
    "Moses": sacremoses.MosesTokenizer(lang="en").tokenize,
}


def learned() -> Tokenize:
    """Byte-level BPE, learned from the words of `SALAD`."""
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    found.train_from_iterator([" ".join(SALAD)] * 20, trainer)
    library: Any = transformers.PreTrainedTokenizerFast
    tokenize: Tokenize = library(tokenizer_object=found).tokenize
    return tokenize


@pytest.mark.parametrize("kind", [*RULES, "byte-level BPE"])
def test_the_segments_have_the_pieces_of_the_whole_sentence(kind: str) -> None:
    tokenize = RULES.get(kind) or learned()
    chance, windows = random.Random(5), 0
    for _ in range(200):
        long = chance.choices(SALAD, k=chance.randint(6, 14))
        at = chance.randint(2, len(long) - 2)
        first, second = [*long[:at], "."], [chance.choice(SALAD), *long[at + 1 :]]
        labels = edit_labels(long, (first, second), "Changes Near Split", tokenize)
        windows += labels.category == "Changes Near Split"
        assert [piece for piece in labels.source[1:-1] if piece != FILL] == tokenize(" ".join(long))
        told = [piece for piece in labels.target[1:-1] if piece != FILL]
        assert told == [*tokenize(" ".join(first)), SEP, *tokenize(" ".join(second))]
        assert len(labels.source) == len(labels.target) == len(labels.delta)
    assert windows > 100


def test_copied_tokens_stay_beside_an_old_full_stop() -> None:
    long, split = sides("a b . c d e f", "a b . <SEP> x . c d e f")
    labels = edit_labels(long, split, "Changes Near Split", str.split)
    assert labels.source == (CLS, "a", "b", ".", FILL, FILL, FILL, "c", "d", "e", "f", SEP)
    assert labels.target == (CLS, "a", "b", ".", SEP, "x", ".", "c", "d", "e", "f", SEP)
    assert labels.delta == (0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0)


@given(
    TOKENS,
    TOKENS,
    TOKENS,
    st.sampled_from(["Direct Insertion", "Changes Near Split", "Changes Across Sentence"]),
)
def test_labels_lose_no_token_and_have_one_length(
    long: list[str], first: list[str], second: list[str], category: Category
) -> None:
    labels = edit_labels(long, (first, second), category, str.split)
    assert len(labels.source) == len(labels.target) == len(labels.delta)
    assert [token for token in labels.source if token != FILL] == [CLS, *long, SEP]
    assert [token for token in labels.target if token != FILL] == [CLS, *first, SEP, *second, SEP]
    separator = len([CLS, *first]) + sum(
        token == FILL for token in labels.target[: labels.target.index(SEP)]
    )
    assert labels.delta[separator] == 1
    if category != "Changes Near Split":
        assert set(labels.delta) == {1} and labels.category == category


@pytest.mark.shared
def test_the_worked_example_of_the_released_code(shared: Path) -> None:
    lines = (shared / "eval" / "bisect_test_visible.tsv").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if "254 mg" in line and "per dose which should" in line]
    if not found:
        pytest.fail("the worked example is no longer among the visible rows: name another")
    long, split = sides(*found[0].split("\t")[:2])
    labels = edit_labels(long, split, "Changes Near Split", str.split)
    assert labels.source[10:13] == ("which", FILL, FILL)
    assert labels.target[10:13] == (".", SEP, "This")
    assert labels.delta == (0,) * 10 + (1, 1, 1) + (0,) * 14
