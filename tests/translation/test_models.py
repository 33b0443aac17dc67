import json
from pathlib import Path
from typing import Any

import pytest
from marian_models import translation
from pydantic import ValidationError

from pairs.errors import SettingsError
from translation.echo import Echo
from translation.engine import Engine
from translation.models import Advanced, Translation, load


def signature(model: Path, models_folder: Path, **settings: Any) -> str:
    chosen = translation(model, **{"max_tokens": 60} | settings)
    return load(chosen, "fr", "en", models_folder=models_folder).signature


def test_the_default_is_marian_in_int8_with_four_hypotheses() -> None:
    assert Translation().model_dump() == {
        "engine": "marian",
        "model": None,
        "revision": None,
        "advanced": {
            "prefix": None,
            "beam_size": 4,
            "quantization": "int8",
            "max_tokens": 400,
            "max_ratio": 3.0,
            "punctuation": "moses",
        },
    }


def test_every_setting_is_described() -> None:
    assert [
        name for model in (Translation, Advanced) for name, field in model.model_fields.items() if not field.description
    ] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("engine", "google"),
        ("beam_size", 0),
        ("beam_size", 17),
        ("quantization", "int4"),
        ("max_tokens", 7),
        ("max_tokens", 2001),
        ("max_ratio", 0.9),
        ("max_ratio", 10.1),
        ("prefix", "por"),
        ("model", ""),
        ("punctuation", "none"),
    ],
)
def test_a_value_out_of_range_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=name):
        translation("tiny", **{name: value})


def test_a_misspelt_setting_is_refused_with_the_one_meant() -> None:
    with pytest.raises(ValidationError, match="Did you mean 'beam_size'"):
        Advanced(beamsize=4)


def test_echo_needs_no_model(tmp_path: Path) -> None:
    assert isinstance(load(Translation(engine="echo"), "xx", "yy", models_folder=tmp_path), Echo)


def test_a_direction_without_a_model_is_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no default model for fi-sv"):
        load(Translation(), "fi", "sv", models_folder=tmp_path)


def test_a_model_for_another_pair_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'tiny-fr-en' is a model for another pair: .* reads 'fr', and de-en"):
        load(Translation(model=str(checkpoint), advanced=Advanced(max_tokens=60)), "de", "en", models_folder=tmp_path)


def test_a_limit_beyond_the_model_s_positions_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="max_tokens is 65, and 'tiny-fr-en' knows 64 positions"):
        load(Translation(model=str(checkpoint), advanced=Advanced(max_tokens=65)), "fr", "en", models_folder=tmp_path)


@pytest.mark.parametrize("engine", ["marian", "marian-transformers"])
def test_the_signature_tells_what_can_change_an_output_and_no_place(
    engine: str, checkpoint: Path, damaged: Path, models_folder: Path
) -> None:
    signed = signature(checkpoint, models_folder, engine=engine)
    assert signed.startswith(f"{engine} tiny-fr-en@")
    for fact in ("direction=fr-en", "beam=4", "max_tokens=60", "max_ratio=3.0", "punctuation=moses", "sacremoses="):
        assert fact in signed
    assert "compute=int8" in signed if engine == "marian" else "compute=float32" in signed
    moved = damaged.rename(damaged.with_name("tiny-fr-en"))
    assert signature(moved, models_folder, engine=engine) == signed


@pytest.mark.parametrize(
    "change",
    [{"beam_size": 1}, {"quantization": "float32"}, {"max_tokens": 50}, {"max_ratio": 2.0}, {"punctuation": "kept"}],
)
def test_the_signature_changes_with_every_setting_of_the_search(
    change: dict[str, Any], checkpoint: Path, models_folder: Path
) -> None:
    assert signature(checkpoint, models_folder, **change) != signature(checkpoint, models_folder)


def test_threads_do_not_enter_the_signature(checkpoint: Path, models_folder: Path) -> None:
    chosen = Translation(model=str(checkpoint), advanced=Advanced(max_tokens=60))
    one, two = (load(chosen, "fr", "en", models_folder=models_folder, threads=threads) for threads in (1, 2))
    assert one.signature == two.signature


def portuguese(model: Path, folder: Path, **settings: Any) -> Engine:
    chosen = translation(model, max_tokens=60, **settings)
    return load(chosen, "en", "pt", models_folder=folder)


def test_a_model_of_several_targets_gets_the_token_of_the_language(many_targets: Path, models_folder: Path) -> None:
    assert "prefix=>>por<<" in portuguese(many_targets, models_folder).signature


def test_a_token_that_is_set_wins(many_targets: Path, models_folder: Path) -> None:
    assert "prefix=>>spa<<" in portuguese(many_targets, models_folder, prefix=">>spa<<").signature
    assert "prefix= " in portuguese(many_targets, models_folder, prefix="").signature


def test_a_token_that_the_model_does_not_know_is_refused(many_targets: Path, models_folder: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"'>>ita<<', and 'tiny-en-ibero' has no such .*Its tokens: >>por<<, >>spa<<"
    ):
        portuguese(many_targets, models_folder, prefix=">>ita<<")


def test_the_token_changes_what_is_read(many_targets: Path, models_folder: Path, salad: list[str]) -> None:
    written = [portuguese(many_targets, models_folder, prefix=token).translate(salad) for token in (">>spa<<", "")]
    assert written[0] != written[1]


def test_a_vocabulary_with_tokens_but_not_ours_is_refused(many_targets: Path, models_folder: Path) -> None:
    with pytest.raises(SettingsError, match="no target token for 'it'"):
        load(
            Translation(model=str(many_targets), advanced=Advanced(max_tokens=60)),
            "en",
            "it",
            models_folder=models_folder,
        )


def test_the_data_file_s_prefix_is_for_its_own_model_only(
    many_targets: Path, models_folder: Path, damaged: Path
) -> None:
    (damaged / "tokenizer_config.json").write_text(json.dumps({"source_lang": "pt", "target_lang": "en"}))
    chosen = Translation(model=str(damaged), advanced=Advanced(max_tokens=60))
    assert "prefix= " in load(chosen, "pt", "en", models_folder=models_folder).signature
