"""Runs in the process of a notebook: what they show, in an event loop and in two threads, and which words they hide."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builds import rows, tiny

from bitext_pivot.flows.pivot_settings import PivotBitext

ROOT = Path(__file__).parents[2]
NOTEBOOK = """
import asyncio, signal, sys
from concurrent.futures import ThreadPoolExecutor
import bitext_pivot as bp

async def cell():
    forms = [bp.PivotBitext.model_validate_json(form) for form in sys.argv[1:]]
    with ThreadPoolExecutor() as both:
        for folder in both.map(bp.build, forms):
            print(folder)
    print(bp.build(forms[0]))

asyncio.run(cell())
print("prefect" in sys.modules, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
SECRET = """
from bitext_pivot.core.site import Site
from bitext_pivot.tasks.run.current_run import current_run, local_run

def fail(error):
    raise error

site = Site()
with local_run(site):
    run = current_run()
    for error in (RuntimeError("no such key: sk-SECRET-KEY-98765 \\x1b]0;owned"), OSError(13, "refused", "a file")):
        run.submit_task("fail", fail, error).exception()
"""


def run(script: str, home: Path, *arguments: str, **variables: str) -> tuple[list[str], str]:
    """Run a script without a Prefect server; return the words of its output, and its errors."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=os.environ | {"BITEXT_PIVOT_HOME": str(home)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.mark.system
@pytest.mark.quickstart
def test_a_notebook_builds_in_an_event_loop_and_in_two_threads(opus: Path, tmp_path: Path) -> None:
    forms = [tiny(), tiny(shard_rows=2)]
    texts = [PivotBitext.model_validate(form).model_dump_json() for form in forms]
    words, errors = run(NOTEBOOK, tmp_path, *texts, BITEXT_PIVOT_OPUS=str(opus))
    first, second, again, *rest = words
    assert first == again != second and rest == ["False", "True"]
    assert rows(Path(first)) == rows(Path(second)) and len(rows(Path(first))) == 2
    assert f"fr-en: Tiny/v1: 2 rows, in {first}" in errors
    assert "judge Tiny-v1-00000 | built: 1 rows" in errors
    assert "judge Tiny-v1-00000 | reused: 1 rows" in errors


def test_a_log_has_no_secret_and_a_traceback_only_of_unexpected_errors(tmp_path: Path) -> None:
    _, errors = run(SECRET, tmp_path, BITEXT_PIVOT_ENDPOINT_KEY="sk-SECRET-KEY-98765")
    assert "ERROR   | fail | failed: no such key: ***" in errors
    assert "SECRET-KEY" not in errors and "\x1b" not in errors
    assert errors.count("Traceback") == 1 and "failed: [Errno 13] refused: 'a file'" in errors
