"""Instruction sets of the processor, read from /proc/cpuinfo because importing PyTorch takes seconds."""

import functools
import os
import platform
from pathlib import Path

_LIST = Path("/proc/cpuinfo")


@functools.cache
def instruction_sets() -> frozenset[str]:
    """Return the instruction sets of an x86 processor, or an empty set if this system does not list them."""
    if platform.machine().lower() not in {"x86_64", "amd64"} or not _LIST.exists():
        return frozenset()
    for line in _LIST.read_text(encoding="utf-8", errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            return frozenset(value.split())
    return frozenset()


def has_bfloat16() -> bool:
    """Return True if the processor multiplies bfloat16 numbers in hardware. If not, float32 is faster."""
    known = instruction_sets()
    if known:
        return not known.isdisjoint({"avx512_bf16", "amx_bf16"})
    import torch  # takes seconds

    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def vector_instructions() -> str:
    """Return the widest vector instructions that PyTorch uses: AVX512, AVX2 or PyTorch's own name for another set."""
    known = instruction_sets()
    if "ATEN_CPU_CAPABILITY" in os.environ:  # restricts PyTorch
        known = frozenset()
    if known >= {"avx512vl", "avx512bw", "avx512dq", "fma"}:
        return "AVX512"
    if known >= {"avx2", "fma"}:
        return "AVX2"
    import torch  # takes seconds

    return str(torch.backends.cpu.get_cpu_capability())
