"""Kernels: CTranslate2 reads its environment while it is imported, so each case runs in a process of its own."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = (
    "import os; from bitext_pivot.translation import kernels; "
    "print(kernels.KERNELS.partition('-')[0], os.environ.get('CT2_USE_MKL'))"
)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "onednn 0"),
        ({"CT2_USE_MKL": "1"}, "onednn 0"),
        ({"BITEXT_PIVOT_KERNELS": "native"}, "native None"),
        ({"BITEXT_PIVOT_KERNELS": "native", "CT2_USE_MKL": "1"}, "native 1"),
    ],
)
def test_the_site_chooses_the_kernels_before_ctranslate2_is_imported(
    environment: dict[str, str], expected: str
) -> None:
    plain = {
        name: value
        for name, value in os.environ.items()
        if name not in {"CT2_USE_MKL", "BITEXT_PIVOT_KERNELS"}
    }
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(
        command, cwd=ROOT, env=plain | environment, capture_output=True, text=True
    )
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        expected = expected.replace("onednn", "native")
    assert done.stdout.strip() == expected, done.stderr
