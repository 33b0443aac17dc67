"""Builds in processes of their own, and tables of what they took. Used by orchestration.py and many_shards.py."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from page_server import Server

ROOT = Path(__file__).resolve().parents[1]
QUICKSTART = ROOT / "quickstart" / "models"
BUILD: dict[str, Any] = {
    "pivot": "fr", "corpora": ["Europarl/v7"],
    "translation": {"model": str(QUICKSTART / "marian-frdees-en")},
    "parser": {"pipeline": str(QUICKSTART / "spacy-en-ud")},
}  # fmt: skip
"""English pairs, by small models that everybody has: with larger ones Prefect's share is smaller."""


def build(
    how: str, settings: dict[str, Any], home: Path, *, page: Server | None = None, cores: str = "0,1", **site: object
) -> dict[str, float]:
    """Run a build in a process of its own, on these cores, and return what it took.

    Its folder for temporary files is its own too: the locks of models are there, and builds side by side would
    wait for each other's models.
    """
    file, temporary = home.with_suffix(".json"), home.with_suffix(".tmp")
    file.write_text(json.dumps(settings))
    temporary.mkdir(exist_ok=True)
    where = {f"BITEXT_PIVOT_{name.upper()}": str(value) for name, value in site.items()}
    where |= {"OMP_NUM_THREADS": "1", "BITEXT_PIVOT_HOME": str(home), "TMPDIR": str(temporary)}
    environment = os.environ | where | (page.environment() if page else {})
    command = ["taskset", "-c", cores, sys.executable, str(ROOT / "benchmarks" / "orchestrated.py"), how, str(file)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{how} of {settings} failed:\n{done.stderr[-3_000:]}")
    facts: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return facts


def prepared(scratch: Path, opus: Path, names: Sequence[str]) -> list[Path]:
    """Return data folders by these names that have the converted model, which takes seconds to make."""
    build("direct", BUILD | {"extraction": {"max_links": 300}}, scratch / "warm", opus=opus)
    for name in names:
        shutil.copytree(scratch / "warm" / "models", scratch / name / "models")
    return [scratch / name for name in names]


def table(*rows: Sequence[object]) -> None:
    """Print rows of a Markdown table, the first one its head."""
    lines = [
        "| " + " | ".join(f"{cell:,.1f}" if isinstance(cell, float) else str(cell) for cell in row) + " |"
        for row in rows
    ]
    print("\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""]), flush=True)


def rows_of(manifest: Path) -> int:
    """Return the rows of a shard, as the JSON beside it tells them."""
    return int(json.loads(manifest.read_text())["rows"])


def window(home: Path) -> float:
    """Return the seconds from the beginning of the first translation to the end of the last judgement."""
    begun = [path.stat().st_mtime - json.loads(path.read_text())["seconds"] for path in _manifests(home, "pairs")]
    return max(path.stat().st_mtime for path in _manifests(home, "judged")) - min(begun)


def _manifests(home: Path, stage: str) -> list[Path]:
    return list(home.glob(f"fr-en/{stage}-*/*.parquet.json"))
