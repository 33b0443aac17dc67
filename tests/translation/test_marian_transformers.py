from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file

from pairs.errors import ShardError, SourceError
from translation.marian_transformers import MarianTransformers
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
    with pytest.raises(
        SourceError, match=r"lacks 1 tensors .*another shape, model\.encoder\.layers\.0\.fc1\.weight the first"
    ):
        engine(damaged)


def _without(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        weights = load_file(folder / "model.safetensors")
        del weights[name]
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    return damage


def _with_another(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.encoder.layernorm_embedding.weight"] = weights["final_logits_bias"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            _without("model.decoder.layers.0.encoder_attn.k_proj.bias"),
            r"lacks 1 .*encoder_attn\.k_proj\.bias the first",
        ),
        (_without("final_logits_bias"), "lacks 1 tensors of the model or .*, final_logits_bias the first"),
        (_with_another, r"has 1 tensors that are no part of the model, .*layernorm_embedding\.weight the first"),
    ],
)
def test_weights_must_fit_to_the_last_tensor(damage: Callable[[Path], None], message: str, damaged: Path) -> None:
    damage(damaged)
    with pytest.raises(SourceError, match=message):
        engine(damaged)


def test_a_search_that_breaks_down_fails_the_shard(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = engine(checkpoint)

    def out_of_memory(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(reference, "_search_one", out_of_memory)
    with pytest.raises(ShardError, match=r"torch failed on a text \(out of memory\)"):
        reference.translate(["Le chat dort."])


def test_several_threads_can_load_a_model_at_once(checkpoint: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(engine, [checkpoint] * 4))
    assert len({tuple(one.translate(["Le chat dort."])) for one in loaded}) == 1
