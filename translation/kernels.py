"""Import CTranslate2 with the CPU kernels the user selected, and load a matching cuBLAS.

CTranslate2 reads CT2_USE_MKL while it is imported. Every process that translates therefore reads the setting
`Site.kernels` here, before the import, instead of receiving it as an argument. Other modules import `ctranslate2`
from here.
"""

import ctypes
import os
import platform
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from bitext_pivot.core.hub.device import Device, DeviceChoice, choose_device
from bitext_pivot.core.site import Site

__all__ = ["KERNELS", "VERSION", "count_gpus", "ctranslate2"]

_kernels = Site().kernels
if _kernels == "portable":
    os.environ["CT2_USE_MKL"] = "0"


def _load_cublas() -> None:
    """Load cuBLAS 12 from the package that the extra `cuda` installs.

    CTranslate2 opens `libcublas.so.12` by name. The system does not search Python packages for that name, so the
    library has to be loaded by its path; PyTorch for CUDA 13 loads another version. cuBLAS needs cublasLt, which is
    loaded first.
    """
    packages = find_spec("nvidia")
    for folder in (packages and packages.submodule_search_locations) or []:
        for name in ("libcublasLt.so.12", "libcublas.so.12"):
            library = Path(folder, "cublas", "lib", name)
            if library.exists():
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


_load_cublas()

import ctranslate2  # noqa: E402 -- reads CT2_USE_MKL, which is set above

VERSION = ".".join(ctranslate2.__version__.split(".")[:2])
_X86 = {"x86_64", "amd64"}
_machine = platform.machine().lower()
KERNELS = "onednn" if _kernels == "portable" and _machine in _X86 else f"native-{_machine}"
"""Name of the CPU kernels, for the engine's signature. Only on x86 processors can the user choose kernels."""


def count_gpus(device: Device) -> int:
    """Return the number of visible GPUs, or 0 if the device is the CPU."""
    if device == "cpu":
        return 0
    return int(ctranslate2.get_cuda_device_count())


def select_device(choice: DeviceChoice, translate: Callable[[], object]) -> Device:
    """Return `cuda` if it is allowed and a trial translation works on the GPU, otherwise `cpu`.

    CTranslate2 loads cuBLAS at its first matrix multiplication, and PyTorch may have installed another version, so
    only a trial translation (`translate`) shows that the GPU works. Raises SettingsError if a GPU does not work, or
    if `cuda` is requested and there is no GPU.
    """

    def compute() -> None:
        if not ctranslate2.get_cuda_device_count():
            raise LookupError("no CUDA GPU was found")
        translate()

    return choose_device(choice, "CTranslate2", compute)
