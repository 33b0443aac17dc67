"""A server that does not start is named with its log; that it ends with a command: tests/flows/test_interrupt.py."""

import sys
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SourceError


def test_a_server_that_ends_is_reported_with_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.tasks.run import temporary_server

    log = tmp_path / temporary_server.LOG
    log.write_text("of a command before\n", encoding="utf-8")
    script = "import os; print('no database at', os.environ['PREFECT_HOME']); raise SystemExit(3)"
    monkeypatch.setattr(temporary_server, "COMMAND", (sys.executable, "-c", script))
    with pytest.raises(SourceError) as refused:
        temporary_server._start("127.0.0.1", log, {"PREFECT_HOME": "/elsewhere"})
    assert str(refused.value) == f"Prefect's temporary server did not start. The reason is at the end of {log}."
    assert log.read_text(encoding="utf-8") == "of a command before\nno database at /elsewhere\n"
