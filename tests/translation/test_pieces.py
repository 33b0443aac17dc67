import math
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.errors import SourceError
from bitext_pivot.translation.pieces import (
    PieceTokenizer,
    SearchLimits,
    batch_equal_lengths,
    encode_search_decode,
)

LIMITS = SearchLimits(beam_size=1, max_tokens=20, max_ratio=2.0, positions=64)


@pytest.fixture(scope="module")
def pieces(checkpoint: Path) -> PieceTokenizer:
    return PieceTokenizer(checkpoint, prefix="", punctuation="kept", language="fr")


def moses(checkpoint: Path, language: str = "fr") -> PieceTokenizer:
    return PieceTokenizer(checkpoint, prefix="", punctuation="moses", language=language)


def test_a_row_has_target_token_and_end(checkpoint: Path) -> None:
    row = PieceTokenizer(checkpoint, prefix=">>por<<", punctuation="kept", language="fr").encode(
        "Le chat.", 20
    )
    assert (row[0], row[-1]) == (">>por<<", "</s>")


@pytest.mark.parametrize("inside", ["</s>", "<pad>", "<unk>", ">>por<<"])
def test_a_special_token_in_a_text_is_split(inside: str, pieces: PieceTokenizer) -> None:
    row = pieces.encode(f"{inside} le chat {inside}", 400)
    assert inside not in row[:-1]


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("« Le chat »", '" Le chat "'),
        ("l\u2019enfant", "l'enfant"),
        ("le chat\u2026", "le chat..."),
        ("la\u00a0porte  est  ouverte", "la porte est ouverte"),
        ("vrai\u00a0?", "vrai?"),
        ("10\u00a0%", "10%"),
        ("12\u00a0123", "12,123"),
        ("la\rporte\tdort", "la porte dort"),
    ],
)
def test_moses_punctuation_is_applied_once_before_sentencepiece(
    text: str, normalised: str, checkpoint: Path
) -> None:
    kept = PieceTokenizer(checkpoint, prefix="", punctuation="kept", language="fr")
    assert moses(checkpoint).encode(text, 400) == kept.encode(normalised, 400)


def test_special_pieces_are_not_decoded(pieces: PieceTokenizer) -> None:
    assert pieces.decode(["▁le", "▁chat", "<unk>", "</s>", "<pad>"]) == "le chat"


@given(st.lists(st.integers(1, 6), max_size=40), st.integers(1, 5))
def test_batches_have_every_row_once_of_equal_length(lengths: list[int], size: int) -> None:
    rows = [["x"] * length for length in lengths]
    batches = list(batch_equal_lengths(rows, size))
    assert sorted(index for batch in batches for index in batch) == list(range(len(rows)))
    assert all(1 <= len(batch) <= size for batch in batches)
    assert all(len({lengths[index] for index in batch}) == 1 for batch in batches)


def test_a_text_over_the_limit_counts_as_none(pieces: PieceTokenizer) -> None:
    def search(rows: list[list[str]]) -> list[tuple[list[str], float]]:
        return [(row[:-1] if "porte" in "".join(row) else row, -len(row) / 10) for row in rows]

    texts = ["le chat", "le " * 40, "la porte", "la maison"]
    outputs = encode_search_decode(texts, pieces, LIMITS, search)
    assert [output.text for output in outputs] == ["le chat", "", "", "la maison"]
    first, *nothing, last = [output.confidence for output in outputs]
    assert nothing == [None, None]
    assert (first, last) == tuple(math.exp(-len(pieces.encode(texts[n], 60)) / 10) for n in (0, 3))


@pytest.mark.parametrize(("pieces_in", "longest"), [(3, 16), (20, 50), (27, 64), (60, 64)])
def test_an_output_is_limited_by_ratio_and_positions(pieces_in: int, longest: int) -> None:
    assert LIMITS.longest_output(pieces_in) == longest


@pytest.mark.parametrize(
    "content", [b"", b"x" * 99, b"\xff" * 5_000, None], ids=["empty", "text", "bytes", "cut"]
)
@pytest.mark.parametrize("name", ["source.spm", "target.spm"])
def test_what_is_no_sentencepiece_model_is_refused(
    name: str, content: bytes | None, checkpoint: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(checkpoint, tmp_path / "damaged"))
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(
        SourceError, match=rf"{name} is not a SentencePiece model, or it is damaged"
    ):
        PieceTokenizer(folder, prefix="", punctuation="kept", language="fr")
