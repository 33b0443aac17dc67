"""Choice of the device that neural models run on: a GPU only where it computes."""

import ctypes
import functools
import importlib.metadata
import platform
import sys
from collections.abc import Callable
from typing import Literal

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.processor import vectors

DeviceChoice = Literal["auto", "cpu", "cuda"]
Device = Literal["cpu", "cuda"]
selected: dict[str, str] = {}
"""The log line of each library that has selected its device in this process."""


def select(choice: DeviceChoice, library: str, compute: Callable[[], object]) -> Device:
    """Return the device for a library: `cuda` if it is allowed and `compute`, a small computation there, succeeds.

    `compute` raises LookupError if there is no GPU, and any other exception if the GPU does not work. A GPU that does
    not work is no reason to go on for hours on the CPU: it is refused unless the CPU is requested.
    Raises SettingsError if a GPU that is there does not work, or `cuda` is requested and there is none.
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
    selected[library] = f"{library} runs on the GPU."
    return "cuda"


def _on_cpu(library: str, reason: str) -> Device:
    selected[library] = f"{library} runs on the CPU ({reason})."
    return "cpu"


@functools.cache
def torch_device(choice: DeviceChoice) -> Device:
    """Return the device of PyTorch's models, selected once per process. Raises SettingsError as `select` does."""
    return select(choice, "PyTorch", _multiply)


def processor(choice: DeviceChoice) -> str:
    """Return what computes: the GPU's name, or the architecture of the CPU and its widest vector instructions.

    Raises SettingsError as `select` does.
    """
    if torch_device(choice) == "cuda":
        import torch

        return str(torch.cuda.get_device_name())
    return f"{platform.machine()} {vectors()}"


def has_gpu() -> bool:
    """Return True if the driver finds a GPU, whatever PyTorch was installed for.

    Only on Linux can the driver be asked without PyTorch, which takes seconds to import.
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
