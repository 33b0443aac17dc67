"""A build without Prefect: the bytes, counts and errors of a build that Prefect runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builds import tiny

from bitext_pivot.flows.pivot_settings import PivotBitext

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
import bitext_pivot
print(bitext_pivot.build(bitext_pivot.PivotBitext.model_validate_json(sys.argv[1])))
print("prefect" in sys.modules)
"""


def rows(folder: Path) -> dict[str, bytes]:
    """Return the files of a data folder, without those that say how long something took."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".json" and not path.name.startswith(".")
    }


@pytest.mark.parametrize("runner", ["threads", "dask"])
def test_a_build_without_prefect_has_the_same_bytes(
    runner: str, tiny_build: Path, opus: Path, tmp_path: Path
) -> None:
    form = PivotBitext.model_validate(tiny())
    environment = {name: os.environ[name] for name in os.environ if name != "PREFECT_API_URL"}
    environment |= {
        "BITEXT_PIVOT_HOME": str(tmp_path / "home"),
        "BITEXT_PIVOT_OPUS": str(opus),
        "BITEXT_PIVOT_RUNNER": runner,
    }
    command = [sys.executable, "-c", SCRIPT, form.model_dump_json()]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    folder, has_prefect = done.stdout.split()
    assert has_prefect == "False"
    assert Path(folder).name == tiny_build.name
    expected = rows(tiny_build.parents[1])
    assert len(expected) > 10 and rows(tmp_path / "home") == expected
