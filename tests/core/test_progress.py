import logging
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bitext_pivot.core import progress
from bitext_pivot.core.progress import Unit, line, logged_to, tracked


@pytest.mark.parametrize(
    ("unit", "total", "start"),
    [
        ("pairs", 3_000, "work: 2,000 of 3,000 pairs, "),
        ("lines", None, "work: 2,000 lines, "),
        ("bytes", 66_500_000_000, "work: 2.0 kB of 66.5 GB, "),
        ("bytes", None, "work: 2.0 kB, "),
    ],
)
def test_without_a_terminal_long_work_logs_how_far_it_is(
    unit: Unit,
    total: int | None,
    start: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    caplog.set_level(logging.INFO)
    with logged_to(logging.getLogger("run")), tracked("work", total, unit) as advance:
        advance(2_500)
        advance(-500)
    assert len(caplog.messages) == 2 and caplog.messages[-1].startswith(start)
    assert {record.name for record in caplog.records} == {"run"}


def test_short_work_leaves_no_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with tracked("work", 4, "rows") as advance:
        advance(4)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("unit", "shown"), [("texts", "500 of 1,000 texts, "), ("bytes", "500 bytes of 1.0 kB, ")]
)
def test_a_terminal_gets_a_bar_in_units_of_work(
    unit: Unit, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with tracked("other", 7, "parts"), tracked("work", 1_000, unit) as advance:
        advance(500)
        display = progress._display()
        assert display.live.is_started
        task = display.tasks[-1]
        assert task.completed == 500 and task.fields["numbers"].startswith(shown)
    assert not display.live.is_started and display.tasks == []


@pytest.mark.parametrize(("amount", "unit", "seconds", "text"), [
    ((1_200, 5_000), "texts", 10.0, "x: 1,200 of 5,000 texts, 32 s left, 120 a second"),
    ((3, None), "lines", 10.0, "x: 3 lines, 0.30 a second"),
    ((2_500_000, 10_000_000), "bytes", 5.0, "x: 2.5 MB of 10.0 MB, 15 s left, 500.0 kB a second"),
    ((0, 7), "pairs", 0.0, "x: 0 of 7 pairs"),
    ((10, 60_010), "rows", 1.0, "x: 10 of 60,010 rows, 100 min left, 10 a second"),
    ((1, 36_001), "rows", 1.0, "x: 1 of 36,001 rows, 10.0 h left, 1 a second"),
    ((7, 7), "pairs", 7.0, "x: 7 of 7 pairs, 1 a second"),
])  # fmt: skip
def test_a_line_has_amount_rate_and_time_left(
    amount: tuple[int, int | None], unit: Unit, seconds: float, text: str
) -> None:
    assert line("x", *amount, unit, seconds=seconds) == text


RUN = """
import logging, os, sys
from bitext_pivot.core import progress

lines = progress.LogLines()
lines.setLevel(os.environ.get("LEVEL", "NOTSET"))
lines.setFormatter(logging.Formatter("%(message)s"))
logging.basicConfig(level=logging.INFO, handlers=[lines])
with progress.stage_bars():
    progress.show_stage("another run", 1, 1, "1 of 1")
    progress.begin_run()
    progress.show_stage("extract", 0, 2, "")
    progress.show_stage("extract", 2, 2, "2 of 2, 50 rows")
    progress.show_stage("parse", 1, 2, "1 of 2, 30 rows")
    logging.info("a line that a bar replaces")
    logging.warning("a warning")
    print("a row on stdout")
    with progress.tracked("parse Tiny-v1-00001", 40, "pairs") as advance:
        advance(20)
    exec(sys.argv[1])
logging.info("the end")
"""


def in_a_terminal(tmp_path: Path, end: str = "", **environment: str) -> tuple[str, str, bool]:
    """Run `RUN` in a terminal and return its stdout, which is a file, the text of its screen and whether its
    cursor is seen at the end."""
    screen, terminal = pty.openpty()
    with (tmp_path / "stdout").open("wb") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, end],
            stdout=stdout,
            stderr=terminal,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100"} | environment,
        )
    os.close(terminal)
    text = b""
    try:
        while piece := os.read(screen, 1 << 16):
            text += piece
    except OSError:  # the end of a terminal on Linux
        pass
    os.close(screen)
    process.wait()
    written = text.decode()
    is_seen = written.rfind("\x1b[?25l") <= written.rfind("\x1b[?25h")
    plain = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", written).replace("\r", "\n")
    return (tmp_path / "stdout").read_text(), plain, is_seen


@pytest.mark.parametrize("columns", ["100", "40"])
def test_a_run_in_a_terminal_has_a_bar_for_each_stage(columns: str, tmp_path: Path) -> None:
    """The bar of work inside goes with it, those of another run when the next one begins."""
    stdout, screen, is_seen = in_a_terminal(tmp_path, COLUMNS=columns)
    lines = screen.splitlines()
    assert stdout == "a row on stdout\n" and is_seen
    assert "a line that a bar replaces" not in screen
    assert any(line.endswith("a warning") for line in lines)
    first, second, end = [line.rstrip() for line in lines if line.strip()][-3:]
    assert first.startswith("extract") and first.endswith("2 of 2, 50 rows")
    assert second.startswith("parse") and second.endswith("1 of 2, 30 rows") and end == "the end"
    assert ("\u2501" in screen) is (columns == "100")


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(tmp_path: Path) -> None:
    _, screen, _ = in_a_terminal(tmp_path, TERM="dumb")
    assert screen.split() == "a line that a bar replaces a warning the end".split()


@pytest.mark.parametrize(
    "end", ["raise KeyError('defect')", "import os; progress.end_at_once(); os._exit(130)"]
)
def test_an_error_and_a_signal_leave_the_terminal_as_it_was(end: str, tmp_path: Path) -> None:
    _, screen, is_seen = in_a_terminal(tmp_path, end)
    assert is_seen and "the end" not in screen
    assert ("Traceback" in screen) is ("raise" in end)
    assert ("KeyError: 'defect'" in screen.splitlines()) is ("raise" in end)


def test_a_level_of_its_own_brings_the_lines_back_in_place_of_the_bars(tmp_path: Path) -> None:
    _, screen, _ = in_a_terminal(tmp_path, LEVEL="INFO")
    assert "a line that a bar replaces" in screen.splitlines() and "━" not in screen
