"""benchmarks/whole_build.py runs, with tiny models: the script and the build make the same number of pairs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.system
def test_the_script_and_the_build_make_the_same_number_of_pairs(server: str) -> None:
    options = ["--tiny", "--alignments", "20", "--opus", "quickstart/opus", "--corpus", "Everyday/v1"]
    command = [sys.executable, "benchmarks/whole_build.py", *options]
    environment = os.environ | {"PREFECT_API_URL": server}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3_000:]
    assert re.findall(r"^the (\w+): (\d+) pairs", done.stdout, re.MULTILINE) == [("script", "20"), ("build", "20")]
    seconds = re.findall(r"^\| (\w[\w ]+) \| ([\d.]+) \| ([\d.]+) \|", done.stdout, re.MULTILINE)
    assert [name for name, *_ in seconds][-1] == "in all"
    assert float(seconds[-1][1]) > 0 and float(seconds[-1][2]) > 0
