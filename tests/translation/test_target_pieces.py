"""By default a model with one vocabulary for both sides writes no piece that only the source language has."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from marian_models import OTHER_WORDS, WORDS, random_model, translation, write_pieces

from bitext_pivot.core.storage import manifest
from bitext_pivot.translation import conversion, models
from bitext_pivot.translation.checkpoint import open_checkpoint, read_vocabularies
from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
from bitext_pivot.translation.pieces import (
    END,
    UNKNOWN,
    PieceRow,
    PieceTokenizer,
    SearchLimits,
    find_source_only_pieces,
)

LIMITS = SearchLimits(beam_size=4, max_tokens=60, max_ratio=1.0, positions=64)
COPIED = "Ż"
"""A character of names that only `source.spm` has."""


@pytest.fixture(scope="module")
def joint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights, with a SentencePiece model for each side and one vocabulary for both."""
    folder = tmp_path_factory.mktemp("joint") / "model"
    folder.mkdir()
    words = [*WORDS, *[COPIED] * 9]
    source = write_pieces(folder / "source.spm", words, 130)
    target = write_pieces(folder / "target.spm", OTHER_WORDS, 100)
    pieces = [*dict.fromkeys([*source, *target, ">>eng<<", "\u00a7"]), "<pad>"]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    (folder / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    size = len(pieces)
    model = random_model(size, size, init_std=0.6, forced_eos_token_id=None)
    model.final_logits_bias[0, 0] = 8.0  # so that some translations end
    model.save_pretrained(folder)
    return folder


def loaded(folder: Path, converted: Path, **compute: Any) -> MarianEngine:
    pieces = PieceTokenizer(folder, prefix="", punctuation="kept", language="fr")
    return MarianEngine(
        converted,
        pieces,
        LIMITS,
        ComputeOptions(**{"quantization": "int8", **compute}),
        signature="",
    )


def rows_of(folder: Path, texts: list[str]) -> list[PieceRow]:
    pieces = PieceTokenizer(folder, prefix="", punctuation="kept", language="fr")
    return [pieces.encode(text, 60) for text in texts]


def convert(folder: Path, models_folder: Path) -> Path:
    return conversion.convert_checkpoint(
        open_checkpoint(str(folder)), models_folder, "int8", "target"
    )


def test_pieces_that_only_the_source_has_are_never_written(
    joint: Path, tmp_path: Path, salad: list[str]
) -> None:
    rows = rows_of(joint, salad)
    foreign = find_source_only_pieces(joint)
    own = loaded(joint, convert(joint, tmp_path)).search(rows)
    whole = conversion.convert_checkpoint(open_checkpoint(str(joint)), tmp_path, "int8", "all")
    all_pieces = loaded(joint, whole).search(rows)
    assert any(foreign & {*row} for row, _ in all_pieces)
    assert not any(foreign & {*row} for row, _ in own)
    assert any(END in row for row, _ in own) and any(len(row) > 3 for row, _ in own)


def test_special_pieces_and_characters_of_names_can_be_written(joint: Path) -> None:
    """As the training saw them: a character that `target.spm` lacks is a piece of its own in a target sentence."""
    _, vocabulary = read_vocabularies(joint)
    written = conversion.select_output_pieces(joint, "target")
    assert {END, UNKNOWN, COPIED, "\u00a7", "▁house"} <= {*written}
    left_out = {*vocabulary} - {*written}
    assert left_out and all(len(piece.removeprefix("▁")) > 1 for piece in left_out)
    assert all(written[piece] == vocabulary[piece] for piece in written)


def same_pieces(folder: Path) -> None:
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())


def separate(folder: Path) -> None:
    (folder / "target_vocab.json").write_bytes((folder / "vocab.json").read_bytes())


@pytest.mark.parametrize("change", [same_pieces, separate])
def test_other_models_write_all_their_pieces(
    change: Callable[[Path], None], joint: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(joint, tmp_path / "other")
    change(folder)
    assert conversion.select_output_pieces(folder, "target") == read_vocabularies(folder)[1]
    assert conversion.describe_weights(folder, "int8", "target") == "int8-7bit"


def test_what_is_left_out_is_in_the_signature_and_in_the_name_of_the_folder(
    joint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def signature(**pieces: str) -> str:
        settings = translation(joint, max_tokens=60, **pieces)
        return models.prepare_engine(settings, "fr", "en", models_folder=tmp_path).signature

    assert " weights=int8-7bit ctranslate2" in signature(pieces="all")

    first, folder = signature(), convert(joint, tmp_path)
    assert " weights=int8-7bit-" in first and not manifest.problems(folder)
    monkeypatch.setattr(conversion, "find_source_only_pieces", lambda _: {"▁chat"})
    second, other = signature(), convert(joint, tmp_path)
    monkeypatch.setattr(conversion, "find_source_only_pieces", lambda _: set())
    assert len({first, second, signature()}) == 3
    assert len({folder, other, convert(joint, tmp_path)}) == 3
