"""Selection of the device, with stand-ins: there is no GPU where the tests run."""

from collections.abc import Iterator
from typing import Any

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import device as module
from bitext_pivot.core.hub.device import DeviceChoice, choose_device, torch_device
from bitext_pivot.core.site import Site


@pytest.fixture(autouse=True)
def unselected() -> Iterator[None]:
    """Forget what other tests selected."""
    torch_device.cache_clear()
    module.log_lines.clear()
    yield
    torch_device.cache_clear()
    module.log_lines.clear()


def works() -> None:
    """Stand for a GPU that computes."""


def is_missing() -> None:
    raise LookupError("no CUDA GPU was found")


def is_broken() -> None:
    raise RuntimeError("Library libcublas.so.12 is not found or cannot be loaded\nat some line")


@pytest.mark.parametrize(
    ("choice", "compute", "expected", "line"),
    [
        ("auto", works, "cuda", "X runs on the GPU."),
        ("cuda", works, "cuda", "X runs on the GPU."),
        ("cpu", works, "cpu", "X runs on the CPU (BITEXT_PIVOT_DEVICE=cpu)."),
        ("auto", is_missing, "cpu", "X runs on the CPU (no CUDA GPU was found)."),
    ],
)
def test_a_gpu_that_computes_is_used_and_named(
    choice: DeviceChoice, compute: Any, expected: str, line: str
) -> None:
    assert choose_device(choice, "X", compute) == expected
    assert list(module.log_lines.values()) == [line]


@pytest.mark.parametrize(
    ("choice", "compute"), [("cuda", is_missing), ("cuda", is_broken), ("auto", is_broken)]
)
def test_a_gpu_that_does_not_work_is_refused(choice: DeviceChoice, compute: Any) -> None:
    """With `auto`, too: hours on the CPU beside a GPU are no service."""
    with pytest.raises(SettingsError, match=r"X cannot compute .*BITEXT_PIVOT_DEVICE=cpu"):
        choose_device(choice, "X", compute)
    assert module.log_lines == {}


@pytest.mark.parametrize(("total", "works"), [(512.0, True), (float("nan"), False)])
def test_pytorch_must_multiply_on_the_gpu(
    total: float, works: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    class Matrix:
        def __matmul__(self, _: object) -> "Matrix":
            return self

        def sum(self) -> float:
            return total

    options: list[dict[str, Any]] = []

    def ones(*_: int, **given: Any) -> Matrix:
        options.append(given)
        return Matrix()

    monkeypatch.setattr(module, "has_gpu", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch, "ones", ones)
    if works:
        assert [torch_device("auto"), torch_device("auto")] == ["cuda"] * 2
        assert options == [{"device": "cuda", "dtype": torch.float16}]
    else:
        with pytest.raises(SettingsError, match="a product of two matrices was wrong"):
            torch_device("auto")


def test_without_a_gpu_the_default_is_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "has_gpu", lambda: False)
    assert Site.model_fields["device"].default == "auto"
    assert torch_device("auto") == "cpu"
    with pytest.raises(SettingsError, match="PyTorch cannot compute on a GPU here"):
        torch_device("cuda")


def test_a_pytorch_without_cuda_is_refused_beside_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(module, "has_gpu", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SettingsError, match=r"installed without CUDA.*BITEXT_PIVOT_DEVICE=cpu"):
        torch_device("auto")
    assert torch_device("cpu") == "cpu"
