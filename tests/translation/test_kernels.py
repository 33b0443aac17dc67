"""Kernels: CTranslate2 reads its environment while it is imported, so each case runs in a process of its own."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = (
    "import os; from translation import kernels; "
    "print(kernels.KERNELS.partition('-')[0], os.environ.get('CT2_USE_MKL'))"
)


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name not in {"CT2_USE_MKL", "BITEXT_PIVOT_KERNELS"}}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=plain | environment, capture_output=True, text=True
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
    done = run(LOADED, **environment)
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        expected = expected.replace("onednn", "native")
    assert done.stdout.strip() == expected, done.stderr


def test_an_earlier_import_of_ctranslate2_is_refused_when_kernels_are_portable() -> None:
    done = run(f"import ctranslate2; {LOADED}")
    assert "SettingsError: ctranslate2 was imported before translation.kernels" in done.stderr
    assert run(f"import ctranslate2; {LOADED}", CT2_USE_MKL="0").returncode == 0
