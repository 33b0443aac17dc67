"""File locks: one holder at a time, released when the holder dies, no obstacle where there are no locks."""

import errno
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import filelock
import pytest

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.locks import has_locks, locked, machine_lock, sweep

LOG = logging.getLogger("test")
HOLD = """
import logging, pathlib, sys, time
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.locks import locked
with locked(pathlib.Path(sys.argv[1]), logging.getLogger()):
    print("held", flush=True)
    time.sleep(600)
"""


def test_the_second_holder_waits_logs_and_sees_the_result(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, made = tmp_path / "pairs-1" / "a-00000.parquet", []
    held, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with locked(path, LOG):
            held.set()
            go_on.wait(30)
            path.touch()

    def second() -> None:
        with locked(path, LOG):
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
    assert caplog.messages == ["pairs-1/a-00000.parquet is in use by another run; waiting for it"]


def test_a_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(filelock.Timeout):
        filelock.FileLock(tmp_path / ".a.parquet.lock").acquire(blocking=False)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    with locked(path, LOG):
        pass


@pytest.mark.parametrize("fails", [False, True])
def test_no_file_is_left_of_a_lock(fails: bool, tmp_path: Path) -> None:
    with suppress(ShardError), locked(tmp_path / "a.parquet", LOG):
        if fails:
            raise ShardError("bad")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_file_without_name_still_excludes_others(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with locked(tmp_path / "a.parquet", logging.getLogger("quiet")):
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


def test_leftovers_of_a_killed_holder_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    mine = [".a.parquet.12-ff.partial", ".a.parquet.json.12-ff.partial"]
    others = [
        ".a2.parquet.12-ff.partial",
        "a.parquet",
        "a.parquet.json",
        "partial",
        ".b.parquet.12-ff.partial",
    ]
    for name in [*mine, *others]:
        (tmp_path / name).touch()
    with locked(tmp_path / "a.parquet", LOG):
        left = {path.name for path in tmp_path.iterdir()}
    assert left == {*others, ".a.parquet.lock"}
    sweep(tmp_path, "*")  # all leftovers of a folder
    assert {path.name for path in tmp_path.iterdir()} == {"a.parquet", "a.parquet.json", "partial"}


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_nothing_is_locked_on_a_file_system_without_locks(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert Site(home=tmp_path / "with").store_folder == tmp_path / "with" / "store"
    monkeypatch.setattr("fcntl.flock", unknown)
    with locked(tmp_path / "a.parquet", LOG), locked(tmp_path / "a.parquet", LOG):
        pass
    store = Site(home=tmp_path / "without").store_folder  # SQLite needs locks
    assert store.is_relative_to(tmp_path) and not store.is_relative_to(tmp_path / "without")
    assert store.parent.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "without").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs-1").write_text("a file where the folder should be")
    with (
        pytest.raises(
            ShardError, match=r"pairs-1/a\.parquet cannot be locked .* finished files are kept"
        ),
        locked(tmp_path / "pairs-1" / "a.parquet", LOG),
    ):
        pytest.fail("held")


def test_waiting_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    with locked(tmp_path / "a.parquet", LOG), ThreadPoolExecutor() as others:

        def wait() -> None:
            with locked(tmp_path / "a.parquet", LOG, is_cancelled=lambda: True):
                pytest.fail("held")

        assert isinstance(others.submit(wait).exception(30), filelock.Timeout)


def test_a_machine_lock_excludes_other_threads_and_not_other_names(tmp_path: Path) -> None:
    inside = threading.Event()

    def other() -> None:
        with machine_lock(tmp_path / "one", LOG):
            inside.set()

    thread = threading.Thread(target=other, daemon=True)
    with machine_lock(tmp_path / "one", LOG), machine_lock(tmp_path / "two", LOG):
        thread.start()
        assert not inside.wait(0.3)
    thread.join(30)
    assert inside.is_set()


def test_a_read_only_file_system_is_no_failure_of_the_probe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert has_locks(tmp_path / "of this test alone")  # what cannot be written is refused elsewhere
