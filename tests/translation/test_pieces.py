import time
from pathlib import Path

import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st

from pairs.errors import ShardError
from translation.pieces import Limits, Pieces, equal_lengths, translate_pieces

LIMITS = Limits(beam_size=1, max_tokens=20, max_ratio=2.0, positions=64)


@pytest.fixture(scope="module")
def pieces(checkpoint: Path) -> Pieces:
    return Pieces(checkpoint, prefix="", punctuation="kept", language="fr")


def moses(checkpoint: Path, language: str = "fr") -> Pieces:
    return Pieces(checkpoint, prefix="", punctuation="moses", language=language)


def spelt(pieces: Pieces, text: str) -> str:
    return "".join(pieces.encode(text, 400)).replace("▁", " ").strip()


def test_the_end_is_said_and_the_target_token_comes_first(checkpoint: Path) -> None:
    row = Pieces(checkpoint, prefix=">>por<<", punctuation="kept", language="fr").encode("Le chat.", 20)
    assert (row[0], row[-1]) == (">>por<<", "</s>")


def test_pieces_are_those_of_transformers_tokenizer(checkpoint: Path, pieces: Pieces, salad: list[str]) -> None:
    tokenizer = transformers.MarianTokenizer.from_pretrained(checkpoint)
    texts = [*salad, "L'été à Zürich, 12 h 30 !", "日本 et 😀"]
    for text in texts:
        known = [piece if piece in tokenizer.get_vocab() else "<unk>" for piece in pieces.encode(text, 400)]
        assert known == tokenizer.convert_ids_to_tokens(tokenizer(text).input_ids)


@pytest.mark.parametrize("inside", ["</s>", "<pad>", "<unk>", ">>por<<"])
def test_a_text_cannot_smuggle_in_a_special_token(inside: str, pieces: Pieces) -> None:
    row = pieces.encode(f"{inside} le chat {inside}", 400)
    assert inside not in row[:-1]


@pytest.mark.parametrize(("limit", "fits"), [(4, False), (5, True)])
def test_a_text_over_the_limit_is_refused_whole_and_the_limit_itself_fits(
    limit: int, fits: bool, checkpoint: Path
) -> None:
    pieces = Pieces(checkpoint, prefix=">>por<<", punctuation="kept", language="fr")
    row = pieces.encode("le la le", 400)
    assert len(row) == 5
    assert pieces.encode("le la le", limit) == (row if fits else [])


@pytest.mark.parametrize("text", ["." * 100_000, "a" * 100_000, "le " * 33_334, '..."' * 25_000])
def test_a_text_of_100_000_characters_is_refused_at_once(text: str, checkpoint: Path) -> None:
    start = time.monotonic()
    assert moses(checkpoint).encode(text, 400) == []
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("« Le chat »", '" Le chat "'),
        ("l\u2019enfant", "l'enfant"),
        ("le chat\u2026", "le chat..."),
        ("la\u00a0porte  est  ouverte", "la porte est ouverte"),
    ],
)
def test_moses_punctuation_is_applied_once_before_sentencepiece(text: str, normalised: str, checkpoint: Path) -> None:
    kept = Pieces(checkpoint, prefix="", punctuation="kept", language="fr")
    assert moses(checkpoint).encode(text, 400) == kept.encode(normalised, 400)


def test_line_breaks_and_tabs_are_blanks(pieces: Pieces) -> None:
    assert pieces.encode("le\r\nchat\tdort", 400) == pieces.encode("le chat dort", 400)


def test_what_is_written_is_spelt_without_special_pieces(pieces: Pieces) -> None:
    assert pieces.decode(["▁le", "▁chat", "<unk>", "</s>", "<pad>"]) == "le chat"


@given(st.lists(st.integers(1, 6), max_size=40), st.integers(1, 5))
def test_batches_hold_every_row_once_and_rows_of_one_length_only(lengths: list[int], size: int) -> None:
    rows = [["x"] * length for length in lengths]
    batches = list(equal_lengths(rows, size))
    assert sorted(place for batch in batches for place in batch) == list(range(len(rows)))
    assert all(1 <= len(batch) <= size for batch in batches)
    assert all(len({lengths[place] for place in batch}) == 1 for batch in batches)


def test_order_is_kept_around_texts_that_are_not_translated(pieces: Pieces) -> None:
    texts = ["le chat", "", "le " * 40, "la porte", "\udc80", " "]
    outputs = translate_pieces(texts, pieces, LIMITS, name="copy", search=lambda rows: rows)
    assert outputs == ["le chat", "", "", "la porte", "", ""]


def test_a_translation_without_an_end_counts_as_none(pieces: Pieces) -> None:
    def endless(rows: list[list[str]]) -> list[list[str]]:
        return [row[:-1] for row in rows]

    assert translate_pieces(["le chat"], pieces, LIMITS, name="endless", search=endless) == [""]


def test_a_search_that_loses_rows_is_an_error(pieces: Pieces) -> None:
    with pytest.raises(ShardError, match="'lossy' returned 1 texts for 2"):
        translate_pieces(["le chat", "la porte"], pieces, LIMITS, name="lossy", search=lambda rows: rows[1:])


@pytest.mark.parametrize(("pieces_in", "longest"), [(3, 16), (20, 50), (27, 64), (60, 64)])
def test_an_output_may_be_a_multiple_and_ten_more_but_not_beyond_the_positions(pieces_in: int, longest: int) -> None:
    assert LIMITS.longest_output(pieces_in) == longest
