"""Translations hardly depend on the processor: restricted to older instruction sets, or with MKL, they stay the same.

Everything behind translation is covered by the golden test of the demo: equal texts have equal labels and verdicts.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from pack import read_text

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[1]
TRANSLATE = """
import json, pathlib, sys
from bitext_pivot.translation.models import Translation, load_engine
settings = Translation(model="quickstart/models/marian-frdees-en")
engine = load_engine(settings, "fr", "en", models_folder=pathlib.Path(sys.argv[1]))
print(json.dumps([output.text for output in engine.translate(json.loads(sys.stdin.read()))]))
"""


@cache
def translated(folder: Path, environment: tuple[tuple[str, str], ...] = ()) -> list[str]:
    """Translate the demo's French sentences in a process with these environment variables."""
    links = [
        link
        for links in read_text(ROOT / "quickstart" / "text" / "fr-en.txt").values()
        for link in links
    ]
    sentences = [sentence for link in links for sentence in link.sides.get("fr", [])][::2]
    done = subprocess.run(
        [sys.executable, "-c", TRANSLATE, str(folder)], input=json.dumps(sentences), cwd=ROOT, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(environment), capture_output=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the converted model, which all processes share."""
    return tmp_path_factory.mktemp("models")


@pytest.mark.parametrize("environment", [
    {"ONEDNN_MAX_CPU_ISA": "AVX2", "CT2_FORCE_CPU_ISA": "AVX2"},
    {"ONEDNN_MAX_CPU_ISA": "AVX2", "CT2_FORCE_CPU_ISA": "GENERIC"},
    {"BITEXT_PIVOT_KERNELS": "native"},
], ids=["AVX2", "oldest x86-64", "MKL"])  # fmt: skip
def test_at_most_three_translations_in_a_hundred_differ(
    environment: dict[str, str], models: Path
) -> None:
    here, there = translated(models), translated(models, tuple(environment.items()))
    assert len(set(here)) > 100
    different = [texts for texts in zip(here, there, strict=True) if texts[0] != texts[1]]
    assert len(different) <= 0.03 * len(here), different
