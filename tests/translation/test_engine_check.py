"""The self-check at loading: models that work pass, models that load and cannot work are named."""

import json
import random
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from marian_models import change_weights, texts, translation, write_pieces
from messages import Golden

from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.languages import languages_with, section
from bitext_pivot.translation.checkpoint import Checkpoint
from bitext_pivot.translation.engine import Echo, Engine
from bitext_pivot.translation.engine_check import check_engine, sentences
from bitext_pivot.translation.models import load
from bitext_pivot.translation.pieces import Pieces

ROOT = Path(__file__).parents[2]
QUICKSTART = ROOT / "quickstart" / "models" / "marian-frdees-en"
SIDES = {"source.spm": "fr", "target.spm": "en"}


def loaded(folder: Path, models_folder: Path, pivot: str = "fr", **settings: Any) -> Engine:
    chosen = translation(folder, **{"max_tokens": 60} | settings)
    return load(chosen, pivot, "en", models_folder=models_folder)


@pytest.mark.quickstart
@pytest.mark.parametrize("pivot", ["fr", "de", "es"])
def test_a_model_that_works_passes_and_knows_every_piece(pivot: str, models_folder: Path) -> None:
    engine = loaded(QUICKSTART, models_folder, pivot)
    outputs = texts(engine, sentences(pivot))
    assert [len(output.split()) > 2 for output in outputs] == [True] * 4
    known = json.loads((QUICKSTART / "vocab.json").read_text(encoding="utf-8"))
    rows = [engine._pieces.encode(text, 400) for text in sentences(pivot)]  # type: ignore[attr-defined]
    assert [piece for row in rows for piece in row if piece not in known] == []


@pytest.mark.quickstart
@pytest.mark.parametrize("seed", range(3))
def test_a_permuted_vocabulary_is_refused(seed: int, tmp_path: Path, models_folder: Path) -> None:
    folder = Path(shutil.copytree(QUICKSTART, tmp_path / "permuted"))
    path = folder / "vocab.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    plain = [name for name in entries if not name.startswith("<")]
    numbers = random.Random(seed).sample([entries[name] for name in plain], len(plain))
    path.write_text(json.dumps(entries | dict(zip(plain, numbers, strict=True))), encoding="utf-8")
    with pytest.raises(SettingsError):
        loaded(folder, models_folder)


def test_weights_that_do_not_read_their_input_are_refused(
    damaged: Path, models_folder: Path
) -> None:
    def blind(weights: dict[str, Any]) -> None:
        weights["model.decoder.layers.0.encoder_attn.out_proj.weight"][:] = 0

    change_weights(damaged, blind)
    with pytest.raises(SettingsError):
        loaded(damaged, models_folder)


def test_a_model_that_never_ends_is_refused(
    damaged: Path, models_folder: Path, golden: Golden
) -> None:
    def endless(weights: dict[str, Any]) -> None:
        weights["final_logits_bias"][0, 0] = -1e4

    change_weights(damaged, endless)
    with golden.refused(SettingsError):
        loaded(damaged, models_folder)


def test_sentences_over_the_limit_are_left_out(checkpoint: Path, models_folder: Path) -> None:
    assert loaded(checkpoint, models_folder, max_tokens=8).signature != ""


@pytest.mark.parametrize(
    ("language", "entry"),
    [("fr", "fr"), ("fra", "fr"), ("pt_BR", "pt"), ("zh_CN", "zh"), ("gl", "und"), ("mul", "und")],
)
def test_the_sentences_are_of_the_language_or_names_and_numbers(language: str, entry: str) -> None:
    assert sentences(language) == section(entry, "engine_check").get("sentences", sentences("und"))


@pytest.mark.parametrize("language", [*languages_with("engine_check"), "und"])
def test_every_language_has_four_different_sentences(language: str) -> None:
    assert len(set(sentences(language))) == 4


def write_sides(folder: Path, *, is_separate: bool = False) -> Checkpoint:
    """Write the tokenizer of a model with one SentencePiece model per side, and one vocabulary of both or one each."""
    folder.mkdir()
    french, english = (
        write_pieces(folder / name, " ".join(sentences(code)).split(), 75)
        for name, code in SIDES.items()
    )
    names = (
        {"vocab.json": french, "target_vocab.json": english}
        if is_separate
        else {"vocab.json": [*french, *english]}
    )
    for name, own in names.items():
        entries = {
            piece: number for number, piece in enumerate(dict.fromkeys(["</s>", "<unk>", *own]))
        }
        (folder / name).write_text(json.dumps(entries), encoding="utf-8")
    return Checkpoint(
        name="sides",
        folder=folder,
        digest="",
        positions=512,
        target_tokens=(),
        source_lang="fr",
        target_lang="en",
    )


Change = Callable[[bytes, bytes], tuple[bytes, bytes]]
CHANGES: dict[str, Change] = {
    "none": lambda source, target: (source, target),
    "source twice": lambda source, _: (source, source),
    "target twice": lambda _, target: (target, target),
    "exchanged": lambda source, target: (target, source),
}


@pytest.mark.parametrize("is_separate", [False, True], ids=["one vocabulary", "one each"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_sentencepiece_model_of_the_wrong_side_is_refused(
    change: str, is_separate: bool, tmp_path: Path, golden: Golden
) -> None:
    checkpoint = write_sides(tmp_path / "sides", is_separate=is_separate)
    files = [checkpoint.folder / name for name in SIDES]
    for path, content in zip(
        files, CHANGES[change](*(path.read_bytes() for path in files)), strict=True
    ):
        path.write_bytes(content)
    pieces = Pieces(checkpoint.folder, prefix="", punctuation="kept", language="fr")
    with nullcontext() if change == "none" else golden.refused(SettingsError):
        check_engine(Echo(), checkpoint, pieces, ("fr", "en"), limit=200)


def test_one_sentencepiece_model_for_both_sides_passes(tmp_path: Path) -> None:
    """As in the quickstart's model: the pieces are joint, and the files are the same."""
    (tmp_path / "joint").mkdir()
    both = " ".join([*sentences("fr"), *sentences("en")]).split()
    own = write_pieces(tmp_path / "joint" / "source.spm", both, 120)
    shutil.copy(tmp_path / "joint" / "source.spm", tmp_path / "joint" / "target.spm")
    entries = {piece: number for number, piece in enumerate([*own, ">>eng<<", "<pad>"])}
    (tmp_path / "joint" / "vocab.json").write_text(json.dumps(entries), encoding="utf-8")
    checkpoint = Checkpoint(
        name="joint", folder=tmp_path / "joint", digest="", positions=512, target_tokens=(), source_lang="fr",
        target_lang="en",
    )  # fmt: skip
    pieces = Pieces(checkpoint.folder, prefix="", punctuation="kept", language="fr")
    check_engine(Echo(), checkpoint, pieces, ("fr", "en"), limit=200)


@pytest.mark.parametrize("values", [
    {"scale_embedding": "x"}, {"share_encoder_decoder_embeddings": 3}, {"dtype": "x"}, {"activation_function": "x"},
    {"decoder_attention_heads": 7}, {"id2label": 3}, {"num_hidden_layers": "x"},
], ids=str)  # fmt: skip
def test_a_configuration_that_transformers_refuses_is_said_in_one_line(
    values: dict[str, Any], damaged: Path, models_folder: Path, golden: Golden
) -> None:
    path = damaged / "config.json"
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8"
    )
    with golden.refused(BuildError) as raised:
        loaded(damaged, models_folder)
    assert len(str(raised.value).splitlines()) == 1
