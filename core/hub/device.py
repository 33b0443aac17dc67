"""Selection of the device that neural models run on. A GPU is selected only if a test computation succeeds."""

import ctypes
import functools
import importlib.metadata
import platform
import sys
from collections.abc import Callable
from typing import Literal

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.processor import vector_instructions

DeviceChoice = Literal["auto", "cpu", "cuda"]
Device = Literal["cpu", "cuda"]
log_lines: dict[str, str] = {}
"""The log line about the selected device, for each library that runs models in this process."""


def choose_device(choice: DeviceChoice, library: str, compute: Callable[[], object]) -> Device:
    """Return the device for a library: `cuda` if `choice` allows it and a test computation on the GPU succeeds.

    `compute` runs the test. It raises LookupError if the machine has no GPU, and any other exception if the GPU does
    not work.

    Raises SettingsError if the GPU does not work, or if `choice` is `cuda` and there is no GPU. With `auto`, a broken
    GPU is an error, too: otherwise a build would run for hours on the CPU unnoticed.
    """
    if choice == "cpu":
        return _on_cpu(library, "BITEXT_PIVOT_DEVICE=cpu")
    try:
        compute()
    except Exception as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        if choice == "auto" and isinstance(error, LookupError):
            return _on_cpu(library, reason)
        raise SettingsError(
            f"{library} cannot compute on a GPU here ({reason}). Expected a CUDA GPU and its libraries: "
            "install PyTorch for CUDA and `pip install 'bitext-pivot[cuda]'`, or set BITEXT_PIVOT_DEVICE=cpu."
        ) from error
    log_lines[library] = f"{library} runs on the GPU."
    return "cuda"


def _on_cpu(library: str, reason: str) -> Device:
    log_lines[library] = f"{library} runs on the CPU ({reason})."
    return "cpu"


@functools.cache
def torch_device(choice: DeviceChoice) -> Device:
    """Return the device for PyTorch, selected once per process. Raises SettingsError as `choose_device` does."""
    return choose_device(choice, "PyTorch", _multiply)


def describe_processor(choice: DeviceChoice) -> str:
    """Return the name of the GPU, or the architecture of the CPU and its vector instructions: `x86_64 AVX512`.

    Raises SettingsError as `choose_device` does.
    """
    if torch_device(choice) == "cuda":
        import torch

        return str(torch.cuda.get_device_name())
    return f"{platform.machine()} {vector_instructions()}"


def has_gpu() -> bool:
    """Return True if the machine has a GPU, even if the installed PyTorch was built without CUDA.

    On Linux with CUDA, the driver itself counts the GPUs, because importing PyTorch takes seconds.
    """
    if sys.platform != "linux" or "rocm" in importlib.metadata.version("torch"):
        import torch

        return bool(torch.cuda.is_available())
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    number = ctypes.c_int(0)
    fails = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(number))
    return not fails and number.value > 0


def _multiply() -> None:
    """Multiply two small matrices on the GPU."""
    if not has_gpu():
        raise LookupError("no CUDA GPU was found")
    import torch  # takes seconds

    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch was installed without CUDA, or for another driver")
    ones = torch.ones(8, 8, device="cuda", dtype=torch.float16)
    if float((ones @ ones).sum()) != 512:
        raise RuntimeError("a product of two matrices was wrong")
