"""Collecting the tests costs seconds in every process, so no test file imports a heavy library at its top."""

import subprocess
import sys
from pathlib import Path

HEAVY = ("torch", "transformers", "prefect", "spacy", "datasets", "matplotlib", "nltk", "sklearn")
COLLECT = """
import sys, pytest
assert pytest.main(["--collect-only", "-qqq", "-p", "no:cacheprovider", "-m", ""]) == 0
print("imported:", *sorted(set(sys.argv[1:]) & sys.modules.keys()))
"""


def test_collecting_the_tests_imports_no_heavy_library() -> None:
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", COLLECT, *HEAVY], cwd=root, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["imported:"], done.stdout + done.stderr
