"""Import CTranslate2 with the kernels that `Site.kernels` names, and with the cuBLAS that it looks for.

CTranslate2 reads CT2_USE_MKL while it is imported. So the runtime setting is read here, above that import, in every
process that translates, and not passed down as an argument. No other file imports CTranslate2.
"""

import ctypes
import os
import platform
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bitext_pivot.core.hub.device import Device, DeviceChoice, select
from bitext_pivot.core.site import Site

__all__ = ["KERNELS", "VERSION", "ctranslate2", "gpus"]

_kernels = Site().kernels
if _kernels == "portable":
    os.environ["CT2_USE_MKL"] = "0"


def _load_cublas() -> None:
    """Load cuBLAS 12 of the extra `cuda` by its path.

    CTranslate2 opens `libcublas.so.12` by its name, which the system does not know, and a PyTorch for CUDA 13
    brings another version. A library that is loaded is found by its name. cuBLAS needs cublasLt.
    """
    packages = find_spec("nvidia")
    for folder in (packages and packages.submodule_search_locations) or []:
        for name in ("libcublasLt.so.12", "libcublas.so.12"):
            library = Path(folder, "cublas", "lib", name)
            if library.exists():
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


_load_cublas()

import ctranslate2  # noqa: E402 -- reads CT2_USE_MKL

VERSION = ".".join(ctranslate2.__version__.split(".")[:2])
_X86 = {"x86_64", "amd64"}
_machine = platform.machine().lower()
KERNELS = "onednn" if _kernels == "portable" and _machine in _X86 else f"native-{_machine}"
"""Name of the CPU kernels, for the signature. Other processors have only one kind, their own."""


def gpus(device: Device) -> int:
    """Return how many GPUs a device has: none for the CPU."""
    if device == "cpu":
        return 0
    return int(ctranslate2.get_cuda_device_count())


def select_device(choice: DeviceChoice, translate: Callable[[], object]) -> Device:
    """Return the device of CTranslate2: `cuda` if it is allowed and `translate`, which translates there, succeeds.

    CTranslate2 loads cuBLAS when it first multiplies, and PyTorch may have installed another version. So only a
    translation shows that the GPU works. Raises SettingsError if `cuda` is requested and does not work.
    """

    def compute() -> None:
        if not ctranslate2.get_cuda_device_count():
            raise LookupError("no CUDA GPU was found")
        translate()

    return select(choice, "CTranslate2", compute)
