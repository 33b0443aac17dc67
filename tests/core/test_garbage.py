"""A command looks for garbage rarely, and still finds it."""

import subprocess
import sys

SCRIPT = """
import gc
import weakref
from contextlib import suppress

from bitext_pivot.commands.main import main

class Node:
    def __init__(self):
        self.itself = self

def looks():
    return sum(each["collections"] for each in gc.get_stats())

with suppress(SystemExit):
    main(["--version"])
before, lost = looks(), weakref.ref(Node())
kept = [[number] for number in range(15_000)]
assert looks() <= before + 1
kept += [[number] for number in range(15_000)]
assert lost() is None and len(kept) == 30_000
"""


def test_a_command_looks_for_garbage_rarely_and_finds_it() -> None:
    """In a process of its own: the threads of other tests make garbage, too."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
