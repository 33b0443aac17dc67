"""Choose the number format of encoders, and name the library version for signatures.

Both can change the last digits of a score.
"""

import functools
import importlib.metadata
import logging
from typing import Literal

from bitext_pivot.core.hub import processor
from bitext_pivot.core.hub.device import Device

Precision = Literal["bfloat16", "float16", "float32"]

_logger = logging.getLogger(__name__)


@functools.cache
def fastest_precision() -> Precision:
    """Return the number format in which this processor multiplies fastest.

    If it is float32, a debug message is logged, because encoders are then slower.
    """
    if processor.has_bfloat16():
        return "bfloat16"
    _logger.debug(
        "This processor does not support bfloat16 (avx512_bf16 or amx_bf16): encoders compute in float32, which is "
        "slower."
    )
    return "float32"


def library_version(device: Device = "cpu") -> str:
    """Return PyTorch's name and version, as far as they can change results: `torch-2.13:cuda`."""
    version = ".".join(importlib.metadata.version("torch").split(".")[:2])
    return f"torch-{version}" if device == "cpu" else f"torch-{version}:{device}"
