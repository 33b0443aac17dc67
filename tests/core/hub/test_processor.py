"""What the processor can do: as PyTorch says, which is asked where Linux lists nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitext_pivot.core.hub import processor
from bitext_pivot.core.hub.processor import has_bfloat16, instruction_sets, vector_instructions


@pytest.fixture(autouse=True)
def unread() -> Iterator[None]:
    """Forget what was read."""
    instruction_sets.cache_clear()
    yield
    instruction_sets.cache_clear()


def listed(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Linux list other instruction sets."""
    path = folder / "cpuinfo"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(processor, "_LIST", path)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


def test_pytorch_says_the_same_of_this_processor() -> None:
    import torch

    capabilities = torch.cpu.get_capabilities()
    assert vector_instructions() == torch.backends.cpu.get_cpu_capability()
    assert has_bfloat16() == any(capabilities.get(name) for name in ("avx512_bf16", "amx_bf16"))


@pytest.mark.parametrize(
    ("flags", "widest", "is_fast"),
    [
        ("sse2 avx avx2 fma", "AVX2", False),
        ("avx2 fma avx512f", "AVX2", False),
        ("avx2 fma avx512f avx512vl avx512bw avx512dq", "AVX512", False),
        ("avx2 fma avx512f avx512vl avx512bw avx512dq avx512_bf16", "AVX512", True),
        ("avx2 fma avx512f avx512vl avx512bw avx512dq avx512_bf16 amx_bf16", "AVX512", True),
        ("avx512vl avx512bw avx512dq fma amx_bf16", "AVX512", True),
    ],
)
def test_the_list_of_linux_decides(
    flags: str, widest: str, is_fast: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed(
        f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t:\n\nflags\t\t: avx512_bf16\n",
        tmp_path,
        monkeypatch,
    )
    assert (vector_instructions(), has_bfloat16()) == (widest, is_fast)


@pytest.mark.parametrize("text", ["", "processor : 0\n", "flags :\n", "Features : fp asimd bf16\n"])
def test_without_a_list_pytorch_is_asked(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    listed(text, tmp_path, monkeypatch)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "of PyTorch")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"amx_bf16": True})
    assert (vector_instructions(), has_bfloat16()) == ("of PyTorch", True)


def test_of_another_kind_of_processor_pytorch_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed("flags : avx2 fma\n", tmp_path, monkeypatch)
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert instruction_sets() == frozenset()
