import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from marian_models import translation
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.translation.engine import EchoEngine, LazyEngine
from bitext_pivot.translation.models import Translation, load_engine, prepare_engine


def signature(model: Path, models_folder: Path, **settings: Any) -> str:
    chosen = translation(model, **{"max_tokens": 60} | settings)
    return load_engine(chosen, "fr", "en", models_folder=models_folder).signature


def test_echo_needs_no_model(tmp_path: Path) -> None:
    assert isinstance(
        load_engine(Translation(engine="echo"), "xx", "yy", models_folder=tmp_path), EchoEngine
    )


def test_a_signature_needs_no_model_in_memory(
    checkpoint: Path,
    models_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = translation(checkpoint, max_tokens=60)
    loaded = load_engine(settings, "fr", "en", models_folder=models_folder).signature
    # Loading starts with this function.
    monkeypatch.setattr("bitext_pivot.translation.models.PieceTokenizer", None)
    prepared = prepare_engine(settings, "fr", "en", models_folder=tmp_path / "none")
    assert (prepared.signature, prepared.gpus) == (loaded, 0)
    assert not (tmp_path / "none").exists()


def test_an_engine_is_loaded_once_by_the_first_who_translates() -> None:
    loaded: list[EchoEngine] = []

    def slow() -> EchoEngine:
        time.sleep(0.05)
        loaded.append(EchoEngine())
        return loaded[0]

    engine = LazyEngine("signature", slow)
    assert loaded == []
    with ThreadPoolExecutor(4) as threads:
        outputs = list(threads.map(lambda n: engine.translate([f"text {n}"])[0].text, range(8)))
    assert outputs == [f"text {n}" for n in range(8)]
    assert len(loaded) == 1


@pytest.mark.parametrize("name", ["vocab.json", "model.safetensors", "source.spm"])
def test_a_model_that_changes_before_it_is_loaded_is_refused(
    name: str, damaged: Path, models_folder: Path
) -> None:
    prepared = prepare_engine(
        translation(damaged, max_tokens=60), "fr", "en", models_folder=models_folder
    )
    with (damaged / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(SettingsError, match="have changed since this build began"):
        prepared.load()


@pytest.mark.parametrize(("pivot", "max_tokens"), [("de", 60), ("fr", 65)])
def test_a_model_that_does_not_fit_the_settings_is_refused(
    pivot: str, max_tokens: int, checkpoint: Path, tmp_path: Path, golden: Golden
) -> None:
    with golden.refused(SettingsError):
        load_engine(
            translation(checkpoint, max_tokens=max_tokens), pivot, "en", models_folder=tmp_path
        )


@pytest.mark.parametrize(
    "change",
    [
        {"beam_size": 1},
        {"quantization": "float32"},
        {"max_tokens": 50},
        {"max_ratio": 2.0},
        {"punctuation": "kept"},
    ],
)
def test_the_signature_changes_with_every_setting_of_the_search(
    change: dict[str, Any], checkpoint: Path, models_folder: Path
) -> None:
    assert signature(checkpoint, models_folder, **change) != signature(checkpoint, models_folder)


def test_the_target_token_is_read_by_the_model(
    many_targets: Path, models_folder: Path, salad: list[str]
) -> None:
    chosen = [translation(many_targets, max_tokens=60, prefix=token) for token in (">>spa<<", "")]
    outputs = [
        load_engine(settings, "en", "pt", models_folder=models_folder).translate(salad[:40])
        for settings in chosen
    ]
    assert outputs[0] != outputs[1]
