"""Ctrl-C in a terminal ends a command and its workers at once, and the same command goes on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import httpx
import psutil
import pytest
from builds import tree
from learned import split_rows
from served import PATIENCE, until

from bitext_pivot.core.storage import manifest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "bitext_pivot", "unfuse", "--preset", "demo"]


def obey(number: signal.Signals) -> None:
    """End on a signal, also where these tests run in the background and ignore it."""
    signal.signal(number, signal.SIG_DFL)


def stopped(
    environment: dict[str, str],
    log: Path,
    number: signal.Signals,
    command: Sequence[str] = COMMAND,
    has_begun: Callable[[Path], object] = lambda log: b"shards of " in log.read_bytes(),
) -> None:
    """Begin a command, send it a signal when its work has begun, and check how it ends."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stderr=out,
            stdout=out,
            start_new_session=True,
            preexec_fn=partial(obey, number),
        )
        until(lambda: has_begun(log), pause=0.1)
        children = psutil.Process(process.pid).children(recursive=True)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        status = process.wait(PATIENCE)
    printed = log.read_text(encoding="utf-8")
    assert status == 128 + number, printed
    assert printed.count("stopped. The same command goes on from here.") == 1
    assert "crash" not in printed.lower()
    assert "Traceback" not in printed and "hook" not in printed
    assert psutil.wait_procs(children, PATIENCE)[1] == []


@pytest.mark.parametrize("number", [
    signal.SIGINT,
    pytest.param(signal.SIGTERM, marks=pytest.mark.nightly),
    pytest.param(signal.SIGHUP, marks=pytest.mark.nightly),
])  # fmt: skip
def test_a_server_that_goes_on_learns_that_a_command_was_stopped(
    number: signal.Signals, server: str, tmp_path: Path
) -> None:
    environment = os.environ | {
        "PREFECT_API_URL": server,
        "BITEXT_PIVOT_HOME": str(tmp_path / "home"),
    }
    stopped(environment, tmp_path / "log.txt", number)
    body = {"sort": "START_TIME_DESC", "limit": 1}
    (run,) = httpx.post(f"{server}/flow_runs/filter", json=body, timeout=60, trust_env=False).json()
    assert run["name"].startswith("discofuse-en") and run["state"]["type"] == "CRASHED"


@pytest.mark.nightly
@pytest.mark.parametrize("runner", ["threads", "dask"])
def test_a_stopped_command_ends_at_once_and_goes_on(runner: str, tmp_path: Path) -> None:
    environment = os.environ | {"BITEXT_PIVOT_RUNNER": runner}
    homes = [tmp_path / name for name in ("SIGTERM", "SIGINT", "SIGHUP", "whole")]
    for home in homes[:-1]:
        environment["BITEXT_PIVOT_HOME"] = str(home)
        stopped(
            environment,
            tmp_path / f"{home.name}.txt",
            signal.Signals[home.name],
            has_begun=lambda log: b"built: " in log.read_bytes(),
        )
    folders = []
    for home in homes[-2:]:
        done = subprocess.run(
            COMMAND,
            cwd=ROOT,
            env=environment | {"BITEXT_PIVOT_HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2_000:]
        folders.append(tree(Path(done.stdout.strip())))
    assert folders[0] == folders[1]


@pytest.mark.nightly
def test_a_stopped_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    checkpoints = "home/trained/split/*/checkpoints/seed-0/checkpoint-*"
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in split_rows(100)), encoding="utf-8")
    command = [*COMMAND[:3], "train", "--task", "split", "--data", str(rows), "--model.start", "random",
               "--training.epochs", "10", "--training.batch", "4"]  # fmt: skip
    environment = os.environ | {
        "BITEXT_PIVOT_HOME": str(tmp_path / "home"), "BITEXT_PIVOT_THREADS": "1",
        "BITEXT_PIVOT_CHECKPOINT_MINUTES": "0.001",
    }  # fmt: skip
    complete = f"{checkpoints}/{manifest.NAME}"
    stopped(
        environment,
        tmp_path / "log.txt",
        signal.SIGINT,
        command,
        lambda _: [*tmp_path.glob(complete)],
    )
    for path in tmp_path.glob(f"{checkpoints}/trainer_state.json"):
        state = json.loads(path.read_text(encoding="utf-8"))
        # The result of the resumed run contains this mark.
        state["log_history"].append({"step": 1, "loss": 123.0})
        path.write_text(json.dumps(state), encoding="utf-8")
        manifest.seal(path.parent)  # a changed checkpoint without it is not used
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    scores = tmp_path / "home" / "trained" / "split" / "latest" / "scores.json"
    assert {"step": 1, "loss": 123.0} in json.loads(scores.read_text(encoding="utf-8"))["losses"]
