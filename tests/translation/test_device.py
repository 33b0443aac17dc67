"""Selection of CTranslate2's device, with stand-ins: there is no GPU where the tests run."""

import logging
from pathlib import Path
from typing import Any

import pytest

from pairs.checkpoints import device
from pairs.checkpoints.device import Choice
from pairs.errors import SettingsError
from translation import kernels, marian
from translation.models import Advanced, Translation, load


def is_broken(_: object) -> None:
    raise RuntimeError("Library libcublas.so.12 is not found or cannot be loaded")


class OnGpu(marian.Marian):
    """Marian on a GPU that has no memory left, or no library to multiply with."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        if self.signature.endswith("kernels=cuda:int8_float16"):
            self.translate = is_broken  # type: ignore[assignment, method-assign]


def load_tiny(checkpoint: Path, models_folder: Path, choice: Choice) -> Any:
    settings = Translation(model=str(checkpoint), advanced=Advanced(max_tokens=60))
    return load(settings, "fr", "en", models_folder=models_folder, device=choice)


def test_translation_goes_on_without_a_gpu_that_cannot_multiply(
    checkpoint: Path, models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The GPU is seen and the model loads; CTranslate2 misses its cuBLAS when it first multiplies."""
    on_cpu = load_tiny(checkpoint, models_folder, "cpu").signature
    translator = kernels.ctranslate2.Translator
    monkeypatch.setattr(kernels.ctranslate2, "get_cuda_device_count", lambda: 1)
    monkeypatch.setattr(kernels.ctranslate2, "get_supported_compute_types", lambda _: {"int8", "int8_float16"})
    monkeypatch.setattr(
        kernels.ctranslate2,
        "Translator",
        lambda folder, **options: translator(folder, **(options | {"device": "cpu", "compute_type": "int8"})),
    )
    monkeypatch.setattr(marian, "Marian", OnGpu)
    assert load_tiny(checkpoint, models_folder, "auto").signature == on_cpu
    assert [level for level, line in device.selected() if line.startswith("CTranslate2")] == [logging.WARNING]
    with pytest.raises(SettingsError, match=r"CTranslate2 cannot compute on a GPU here .*libcublas"):
        load_tiny(checkpoint, models_folder, "cuda")
    monkeypatch.setattr(marian, "Marian", OnGpu.__base__)
    assert load_tiny(checkpoint, models_folder, "auto").signature.endswith("kernels=cuda:int8_float16")
