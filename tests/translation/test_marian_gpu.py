"""Marian on a GPU, and the choice of CTranslate2's device, with stand-ins: there is no GPU where the tests run."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from marian_models import translation

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub.device import DeviceChoice
from bitext_pivot.translation import kernels, marian
from bitext_pivot.translation.marian import ComputeOptions, MarianEngine
from bitext_pivot.translation.models import load_engine, prepare_engine
from bitext_pivot.translation.pieces import SearchLimits

ROWS = [["x"] * length for length in (3, 9, 1, 4, 4, 2, 30)]


HYPOTHESES = [(row, -1 / len(row)) for row in ROWS]


def _best(row: list[str]) -> SimpleNamespace:
    return SimpleNamespace(hypotheses=[row], scores=[-1 / len(row)])


class Translator:
    """Stands for CTranslate2 on a GPU: writes the rows again, and has memory for `room` rows."""

    def __init__(self, room: int) -> None:
        self.room, self.sizes, self.options = room, list[int](), dict[str, Any]()

    def translate_batch(self, rows: list[list[str]], **_: Any) -> list[Any]:
        self.sizes.append(len(rows))
        return [SimpleNamespace(result=partial(self._result, row, len(rows))) for row in rows]

    def _result(self, row: list[str], size: int) -> SimpleNamespace:
        if size > self.room:
            raise RuntimeError("CUDA failed with error out of memory")
        return _best(row)


def on_gpu(monkeypatch: pytest.MonkeyPatch, translator: Translator) -> MarianEngine:
    def make(*_: Any, **options: Any) -> Translator:
        translator.options = options
        return translator

    monkeypatch.setattr(
        kernels.ctranslate2, "get_supported_compute_types", lambda _: {"int8_float16", "float16"}
    )
    monkeypatch.setattr(kernels.ctranslate2, "get_cuda_device_count", lambda: 2)
    monkeypatch.setattr(kernels.ctranslate2, "Translator", make)
    limits = SearchLimits(beam_size=4, max_tokens=60, max_ratio=1.0, positions=64)
    compute = ComputeOptions(quantization="int8", device="cuda", threads=8, tokens=12)
    return MarianEngine(Path(), None, limits, compute, signature="test")  # type: ignore[arg-type]


def test_each_gpu_computes_in_int8_float16_in_two_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    translator = Translator(room=9)
    marian = on_gpu(monkeypatch, translator)
    options = translator.options
    assert [options[name] for name in ("compute_type", "inter_threads", "device_index")] == [
        "int8_float16",
        2,
        [0, 1],
    ]
    assert marian.search(ROWS) == HYPOTHESES
    assert translator.sizes == [1, 1, 3, 2]


def test_a_search_halves_a_batch_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert on_gpu(monkeypatch, Translator(room=2)).search(ROWS) == HYPOTHESES
    with pytest.raises(
        ShardError, match=r"failed on device 'cuda' .*out of memory.*BITEXT_PIVOT_DEVICE=cpu"
    ):
        on_gpu(monkeypatch, Translator(room=0)).search(ROWS)


def test_an_output_over_its_own_texts_limit_counts_as_endless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marian = on_gpu(monkeypatch, Translator(room=9))
    monkeypatch.setattr(Translator, "translate_batch", lambda self, rows, **_: [
        SimpleNamespace(result=lambda: _best(["x"] * 13)) for _ in rows
    ])  # fmt: skip
    assert [len(row) for row, _ in marian.search(ROWS)] == [13, 13, 0, 13, 13, 0, 13]


def is_broken(_: object) -> None:
    raise RuntimeError("Library libcublas.so.12 is not found or cannot be loaded")


class OnGpu(MarianEngine):
    """Marian on a GPU that has no memory left, or no library to multiply with."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        if self.signature.endswith("kernels=cuda:float16"):
            self.translate = is_broken  # type: ignore[assignment, method-assign]


@pytest.mark.parametrize(("where", "expected"), [("cpu", "int8"), ("cuda", "float16")])
def test_the_number_format_is_that_of_the_device(
    where: str,
    expected: str,
    checkpoint: Path,
    models_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "select_device", lambda *_: where)
    monkeypatch.setattr(kernels.ctranslate2, "get_cuda_device_count", lambda: 1)
    by_itself, named = (
        prepare_engine(
            translation(checkpoint, max_tokens=60, **chosen),
            "fr",
            "en",
            models_folder=models_folder,
        ).signature
        for chosen in ({}, {"quantization": expected})
    )
    assert by_itself == named
    assert f" compute={expected} " in named


def load_tiny(checkpoint: Path, models_folder: Path, choice: DeviceChoice) -> Any:
    return load_engine(
        translation(checkpoint, max_tokens=60),
        "fr",
        "en",
        models_folder=models_folder,
        device=choice,
    )


def test_a_gpu_that_cannot_multiply_is_refused_unless_the_cpu_is_requested(
    checkpoint: Path, models_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The GPU is seen and the model loads; CTranslate2 misses its cuBLAS when it first multiplies."""
    translator = kernels.ctranslate2.Translator
    monkeypatch.setattr(kernels.ctranslate2, "get_cuda_device_count", lambda: 1)
    monkeypatch.setattr(
        kernels.ctranslate2, "get_supported_compute_types", lambda _: {"int8", "float16"}
    )
    monkeypatch.setattr(
        kernels.ctranslate2,
        "Translator",
        lambda folder, **options: translator(
            folder, **(options | {"device": "cpu", "compute_type": "int8"})
        ),
    )
    monkeypatch.setattr(marian, "MarianEngine", OnGpu)
    choices: tuple[DeviceChoice, ...] = ("auto", "cuda")
    for choice in choices:
        with pytest.raises(
            SettingsError, match=r"CTranslate2 cannot compute .*libcublas.*BITEXT_PIVOT_DEVICE=cpu"
        ):
            load_tiny(checkpoint, models_folder, choice)
    assert "cuda" not in load_tiny(checkpoint, models_folder, "cpu").signature
    monkeypatch.setattr(marian, "MarianEngine", OnGpu.__base__)
    assert load_tiny(checkpoint, models_folder, "auto").signature.endswith("kernels=cuda:float16")
