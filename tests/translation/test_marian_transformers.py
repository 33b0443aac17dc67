from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file
from transformers.utils import logging

from pairs.errors import ShardError, SourceError
from translation.marian_transformers import MarianTransformers, loading
from translation.pieces import Limits, Pieces


def engine(checkpoint: Path) -> MarianTransformers:
    pieces = Pieces(checkpoint, prefix="", punctuation="moses", language="fr")
    limits = Limits(beam_size=2, max_tokens=60, max_ratio=3.0, positions=64)
    return MarianTransformers(checkpoint, pieces, limits, signature="test")


def test_a_translation_depends_on_the_text_alone(checkpoint: Path, salad: list[str]) -> None:
    reference = engine(checkpoint)
    expected = [reference.translate([text])[0] for text in salad[:20]]
    assert reference.translate(salad[:20]) == expected
    assert reference.translate(salad[:20][::-1]) == expected[::-1]


def test_blank_unsound_and_endless_texts_get_nothing(checkpoint: Path) -> None:
    reference = engine(checkpoint)
    expected = reference.translate(["Le chat dort."])[0]
    assert reference.translate(["", "\udc80", "Le chat dort.", "chat" * 25_000]) == ["", "", expected, ""]
    assert expected != ""


def test_a_translation_that_finds_no_end_is_none_instead_of_a_cut_one(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "longest_output", lambda *_: 2)
    assert engine(checkpoint).translate(["Le chat dort dans la maison rouge."]) == [""]


def test_weights_that_do_not_fit_are_refused(damaged: Path) -> None:
    weights = load_file(damaged / "model.safetensors")
    weights["model.encoder.layers.0.fc1.weight"] = weights["model.encoder.layers.0.fc1.weight"][:, :-1].copy()
    save_file(weights, damaged / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(SourceError, match=r"cannot be loaded as MarianMTModel.*fetch it again"):
        engine(damaged)


def test_a_search_that_breaks_down_fails_the_shard(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = engine(checkpoint)

    def out_of_memory(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(reference, "_search_one", out_of_memory)
    with pytest.raises(ShardError, match=r"torch gave up on a text \(out of memory\)"):
        reference.translate(["Le chat dort."])


def test_several_threads_can_load_a_model_at_once(checkpoint: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(engine, [checkpoint] * 4))
    assert len({tuple(one.translate(["Le chat dort."])) for one in loaded}) == 1


def test_the_progress_bar_of_transformers_comes_back() -> None:
    with loading():
        assert not logging.is_progress_bar_enabled()
    assert logging.is_progress_bar_enabled()
