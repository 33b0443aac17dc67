"""Servers that do not start are named with their log, and processes are ended that may be gone already."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from bitext_pivot.core.errors import SourceError
from bitext_pivot.deployments import servers

NOWHERE = "http://127.0.0.1:9/api"
ASLEEP = "import time; print('begun', flush=True); time.sleep(600)"


@contextmanager
def server(script: str, log: Path) -> Iterator[psutil.Popen]:
    """A process that runs a script, with a log."""
    process = servers.begin(["-c", script], log, os.environ | {"FOLDER": "/elsewhere"})
    yield process
    servers.end(process)
    process.wait()


def test_a_server_that_ends_is_reported_with_its_status_and_log(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    script = "import os; print('no database at', os.environ['FOLDER']); raise SystemExit(3)"
    with server(script, log) as process:
        with pytest.raises(SourceError, match=rf"ended with status 3\. .*{log}"):
            servers.wait(process, NOWHERE, log, patience=600)
    assert log.read_text(encoding="utf-8") == "no database at /elsewhere\n"
    assert log.stat().st_mode & 0o077 == 0


def test_a_server_that_does_not_answer_is_no_server_that_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    log = tmp_path / "server.log"
    caplog.set_level("INFO")
    monkeypatch.setattr(servers, "_SILENT", 0)
    clients, client = list[dict[str, object]](), httpx.Client

    def counted(**options: Any) -> httpx.Client:
        clients.append(options)
        return client(**options)

    monkeypatch.setattr(httpx, "Client", counted)
    with server(ASLEEP, log) as process:
        with pytest.raises(SourceError, match=rf"did not answer within \d+ s: .* busy.*{log}"):
            servers.wait(process, NOWHERE, log, patience=0.3)
    lines = [
        record.getMessage() for record in caplog.records if "Waiting for" in record.getMessage()
    ]
    assert len(lines) == 1 and str(log) in lines[0]
    assert clients == [{"timeout": 5, "trust_env": False}]  # one for all questions


def test_the_children_of_a_process_end_with_it(tmp_path: Path) -> None:
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    log = tmp_path / "server.log"
    process = servers.begin(["-c", script, ASLEEP], log, os.environ)
    while "begun" not in log.read_text(encoding="utf-8"):
        process.children()
    (child,) = process.children()
    servers.end(process, patience=0.1)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("is_waited_for", [True, False])
def test_a_process_that_is_gone_can_be_ended(is_waited_for: bool) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    process = psutil.Process(gone.pid)
    if is_waited_for:
        gone.wait()
        assert not process.is_running()
    servers.end(process)
    gone.wait()
