"""Selection of the device, with stand-ins: there is no GPU where the tests run."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub import device as module
from bitext_pivot.core.hub.device import Choice, select, torch_device
from bitext_pivot.core.site import Site


@pytest.fixture(autouse=True)
def unselected() -> Iterator[None]:
    """Forget what other tests selected."""
    torch_device.cache_clear()
    module._selected.clear()
    yield
    torch_device.cache_clear()
    module._selected.clear()


def works() -> None:
    """Stand for a GPU that computes."""


def is_missing() -> None:
    raise LookupError("no CUDA GPU was found")


def is_broken() -> None:
    raise RuntimeError("Library libcublas.so.12 is not found or cannot be loaded\nat some line")


@pytest.mark.parametrize(
    ("choice", "compute", "expected", "line"),
    [
        ("auto", works, "cuda", (logging.INFO, "X runs on the GPU.")),
        ("cuda", works, "cuda", (logging.INFO, "X runs on the GPU.")),
        ("cpu", works, "cpu", (logging.INFO, "X runs on the CPU (BITEXT_PIVOT_DEVICE=cpu).")),
        ("auto", is_missing, "cpu", (logging.INFO, "X runs on the CPU (no CUDA GPU was found).")),
        (
            "auto",
            is_broken,
            "cpu",
            (
                logging.WARNING,
                "X runs on the CPU (Library libcublas.so.12 is not found or cannot be loaded).",
            ),
        ),
    ],
)
def test_a_gpu_that_computes_is_used_and_named(
    choice: Choice, compute: Any, expected: str, line: tuple[int, str]
) -> None:
    assert select(choice, "X", compute) == expected
    assert module.selected() == [line]


@pytest.mark.parametrize("compute", [is_missing, is_broken])
def test_a_requested_gpu_that_does_not_work_is_refused(compute: Any) -> None:
    with pytest.raises(
        SettingsError,
        match=r"DEVICE is cuda, and X cannot compute .*\((no CUDA|Library lib).*to auto",
    ):
        select("cuda", "X", compute)
    assert module.selected() == []


@pytest.mark.parametrize(("total", "expected"), [(512.0, "cuda"), (float("nan"), "cpu")])
def test_pytorch_must_multiply_on_the_gpu(
    total: float, expected: str, monkeypatch: pytest.MonkeyPatch
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

    monkeypatch.setattr(module, "has_driver", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch, "ones", ones)
    assert [torch_device("auto"), torch_device("auto")] == [expected] * 2
    assert options == [{"device": "cuda", "dtype": torch.float16}]


@pytest.mark.parametrize("has_driver", [True, False])
def test_without_a_gpu_the_default_is_the_cpu(
    has_driver: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    monkeypatch.setattr(module, "has_driver", lambda: has_driver)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert Site.model_fields["device"].default == "auto"
    assert torch_device("auto") == "cpu"
    with pytest.raises(SettingsError, match="PyTorch cannot compute on a GPU here"):
        torch_device("cuda")
