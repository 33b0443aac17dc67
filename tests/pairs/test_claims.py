"""A claim: one at a time, never held by the dead, never in the way where there are no locks."""

import errno
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import filelock
import pytest
from upath import UPath

from pairs.claims import claimed, sweep
from pairs.errors import ShardError

LOG = logging.getLogger("test")
HOLD = """
import logging, pathlib, sys, time
from pairs.claims import claimed
with claimed(pathlib.Path(sys.argv[1]), logging.getLogger()):
    print("held", flush=True)
    time.sleep(600)
"""


def test_the_second_waits_says_so_and_finds_what_the_first_made(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, made = tmp_path / "pairs-1" / "a-00000.parquet", []
    held, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with claimed(path, LOG):
            held.set()
            go_on.wait(30)
            path.touch()

    def second() -> None:
        with claimed(path, LOG):
            made.append(path.exists())

    caplog.set_level("INFO")
    threads = [threading.Thread(target=one, daemon=True) for one in (first, second)]
    threads[0].start()
    assert held.wait(30)
    threads[1].start()
    threads[1].join(0.5)
    assert made == []
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert made == [True]
    assert caplog.messages == ["pairs-1/a-00000.parquet is being built by another run; waiting for it"]


def test_nobody_waits_for_the_dead(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(filelock.Timeout):
        filelock.FileLock(tmp_path / ".a.parquet.lock").acquire(blocking=False)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    with claimed(path, LOG):
        pass


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_left_of_a_claim(fails: bool, tmp_path: Path) -> None:
    with suppress(ShardError), claimed(tmp_path / "a.parquet", LOG):
        if fails:
            raise ShardError("bad")
    assert list(tmp_path.iterdir()) == []


def test_whoever_waited_on_a_file_that_lost_its_name_excludes_the_next_one_too(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with claimed(tmp_path / "a.parquet", logging.getLogger("quiet")):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.001)
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_what_was_killed_half_written_is_swept_and_nothing_else(tmp_path: Path) -> None:
    mine = [".a.parquet.12-ff.partial", ".a.parquet.json.12-ff.partial"]
    others = [".a2.parquet.12-ff.partial", "a.parquet", "a.parquet.json", "partial", ".b.parquet.12-ff.partial"]
    for name in [*mine, *others]:
        (tmp_path / name).touch()
    with claimed(tmp_path / "a.parquet", LOG):
        left = {path.name for path in tmp_path.iterdir()}
    assert left == {*others, ".a.parquet.lock"}


def test_all_that_was_killed_half_written_in_a_folder_is_swept(tmp_path: Path) -> None:
    for name in (".pairs.jsonl.12-ff.partial", "pairs.jsonl", ".README.md.12-ff.partial"):
        (tmp_path / name).touch()
    sweep(tmp_path, "*")
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_in_an_object_store_nothing_is_held() -> None:
    path = UPath("memory://claims/a.parquet")
    with claimed(path, LOG), claimed(path, LOG):
        assert not list(UPath("memory://claims").glob("**/*"))


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_without_locks_nothing_is_held(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", unknown)
    with claimed(tmp_path / "a.parquet", LOG), claimed(tmp_path / "a.parquet", LOG):
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs-1").write_text("a file where the folder should be")
    with (
        pytest.raises(ShardError, match=r"pairs-1/a\.parquet cannot be claimed .* run again: what is built"),
        claimed(tmp_path / "pairs-1" / "a.parquet", LOG),
    ):
        pytest.fail("held")
