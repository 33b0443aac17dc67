"""Choice of the device that neural models run on: a GPU only where it computes."""

import ctypes
import functools
import importlib.metadata
import logging
import platform
import sys
from collections.abc import Callable
from typing import Literal

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.processor import vectors

Choice = Literal["auto", "cpu", "cuda"]
Device = Literal["cpu", "cuda"]
_selected: dict[str, tuple[int, str]] = {}


def select(choice: Choice, library: str, compute: Callable[[], object]) -> Device:
    """Return the device for a library: `cuda` if it is allowed and `compute`, a small computation there, succeeds.

    `compute` raises LookupError if there is no GPU, and any other exception if the GPU does not work.
    Raises SettingsError if `cuda` is requested and does not work.
    """
    device: Device = "cpu"
    level, line = logging.INFO, f"{library} runs on the CPU (BITEXT_PIVOT_DEVICE=cpu)."
    if choice != "cpu":
        try:
            compute()
        except Exception as error:
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            if choice == "cuda":
                raise SettingsError(
                    f"BITEXT_PIVOT_DEVICE is cuda, and {library} cannot compute on a GPU here ({reason}). Expected a "
                    f"CUDA GPU and {library} with its CUDA libraries; install them, or set BITEXT_PIVOT_DEVICE to auto."
                ) from error
            level = logging.INFO if isinstance(error, LookupError) else logging.WARNING
            line = f"{library} runs on the CPU ({reason})."
        else:
            device, line = "cuda", f"{library} runs on the GPU."
    _selected[library] = (level, line)
    return device


def selected() -> list[tuple[int, str]]:
    """Return the log level and the log line of each library that has selected its device in this process."""
    return list(_selected.values())


@functools.cache
def torch_device(choice: Choice) -> Device:
    """Return the device of PyTorch's models, selected once per process. Raises SettingsError as `select` does."""
    return select(choice, "PyTorch", _multiply)


def processor(choice: Choice) -> str:
    """Return what computes: the GPU's name, or the architecture of the CPU and its widest vector instructions.

    Raises SettingsError as `select` does.
    """
    if torch_device(choice) == "cuda":
        import torch

        return str(torch.cuda.get_device_name())
    return f"{platform.machine()} {vectors()}"


def has_driver() -> bool:
    """Return False if no GPU can be used here, because the driver that PyTorch opens is missing."""
    if sys.platform != "linux" or "rocm" in importlib.metadata.version("torch"):
        return True
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def _multiply() -> None:
    """Multiply two small matrices on the GPU."""
    absent = "no CUDA GPU was found, or PyTorch was installed without CUDA"
    if not has_driver():
        raise LookupError(absent)
    import torch  # takes seconds

    if not torch.cuda.is_available():
        raise LookupError(absent)
    ones = torch.ones(8, 8, device="cuda", dtype=torch.float16)
    if float((ones @ ones).sum()) != 512:
        raise RuntimeError("a product of two matrices was wrong")
