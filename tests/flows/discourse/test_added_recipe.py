"""The recipe that CONTRIBUTING.md adds: a copy of the program with its four texts, and what is built with it."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from bitext_pivot.core.records import FusedPair
from bitext_pivot.core.storage import shards

ROOT = Path(__file__).parents[3]
PLACE = "RECIPES = {\n"
NAMES = """
import bitext_pivot
from bitext_pivot.deployments.definitions import deployments
print([one.name for one in deployments() if one.flow.name == "swap-text"], bitext_pivot.SwapText().NAME)
"""
pytestmark = [pytest.mark.system, pytest.mark.quickstart]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run Python with a copy of the program to which the texts of the document are added."""
    package = tmp_path / "bitext_pivot"
    shutil.copytree(ROOT / "src" / "bitext_pivot", package)
    for path in ROOT.glob("*/__init__.py"):
        shutil.copytree(path.parent, package / path.parent.name)
    document = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = document.partition("## Add a recipe")[2].partition("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    stage, stages, flow, line = map(textwrap.dedent, blocks)
    (package / "discourse" / "tasks" / "swap.py").write_text(stage, encoding="utf-8")
    (package / "flows" / "swap_text_stages.py").write_text(stages, encoding="utf-8")
    (package / "flows" / "swap_text.py").write_text(flow, encoding="utf-8")
    table = package / "flows" / "__init__.py"
    table.write_text(table.read_text(encoding="utf-8").replace(PLACE, PLACE + line))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "BITEXT_PIVOT_HOME": str(tmp_path)}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE
        )
        return done.stdout.decode().strip()

    return run


def test_a_recipe_is_three_files_and_a_line(run: Callable[..., str], tmp_path: Path) -> None:
    assert run("-c", NAMES) == "['swap'] swapped"
    options = ("--own", "quickstart/documents", "--corpora", "[]", "--parser.pipeline")
    folder = Path(run("-m", "bitext_pivot", "swap", *options, "quickstart/models/spacy-en-ud"))
    rows = [
        json.loads(line)
        for path in folder.glob("pairs/*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    fused = {
        pair.id: pair
        for path in tmp_path.glob("*/fused-*/*.parquet")
        for pair in shards.read(path, FusedPair)
    }
    assert len(rows) > 100
    for row in rows:
        pair = fused[row["id"]]
        assert (row["first"], row["second"]) == (pair.second, pair.first)
