"""What a build writes on a terminal: a bar a stage in place of lines of tasks, the results, a visible cursor."""

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "bitext_pivot", "unfuse", "--preset", "demo"]
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """A terminal with the errors of a command, whose output goes elsewhere."""

    def __init__(self, home: Path, **variables: str) -> None:
        keyboard, terminal = pty.openpty()
        self.process = subprocess.Popen(
            COMMAND,
            cwd=ROOT,
            env=os.environ | {"BITEXT_PIVOT_HOME": str(home), "COLUMNS": "100"} | variables,
            stdout=subprocess.PIPE,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.written = ""
        self._reader = Thread(target=self._read, args=(keyboard,))
        self._reader.start()

    def _read(self, keyboard: int) -> None:
        with suppress(OSError), open(keyboard, "rb", buffering=0) as screen:
            while part := screen.read(4096):
                self.written += part.decode(errors="replace")

    def end(self) -> str:
        """Wait for the command, and return its output."""
        output, _ = self.process.communicate()
        self._reader.join()
        return output.decode()


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_terminal_gets_a_bar_a_stage_and_the_results(
    is_recorded: bool, server: str, tmp_path: Path
) -> None:
    variables = {"PREFECT_API_URL": server} if is_recorded else {}
    terminal = Terminal(tmp_path / "home", **variables)
    (folder,) = terminal.end().splitlines()  # alone
    text = CONTROL.sub("", terminal.written)
    paragraphs = ["".join(part.split()) for part in text.split("\n\n")]  # lines are wrapped
    assert terminal.process.returncode == 0, text
    assert "Finished in state" not in text and "Building discofuse-en from Town/v1, into " in text
    assert HIDE in terminal.written and terminal.written.rindex(SHOW) > terminal.written.rindex(
        HIDE
    )
    for stage in ("fetch", "parse", "unfuse", "divide"):
        assert re.search(rf"{stage} +━+ (\d+) of \1\b", text)
    heads = [f"rowsofdiscofuse-en:Town/v1arein{folder}", "Howgood?", "Whatwaslost?", "Whatnext?"]
    assert all(head in part for head, part in zip(heads, paragraphs[-4:], strict=True))
