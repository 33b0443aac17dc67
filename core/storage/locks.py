"""File locks, so that concurrent runs do not build the same file twice and heavy models run one at a time.

The operating system releases a lock when the process that holds it ends, for whatever reason. Locks only save work:
atomic renames (core/storage/atomic.py) keep files complete, and runs without a shared lock write the same bytes.
"""

import errno
import fcntl
import functools
import logging
import os
import platform
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from bitext_pivot.core.errors import ShardError

_Log = logging.Logger | logging.LoggerAdapter[logging.Logger]
_LOCKS_UNKNOWN = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK})
"""Errors of a file system that has no locks."""
_thread_locks: dict[Path, threading.Lock] = {}
"""For each lock file of `machine_lock`, the lock that the threads of this process share."""


@contextmanager
def locked(
    path: Path, log: _Log, *, is_cancelled: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Hold the lock of the file or folder `path` during the block; wait while another thread or process holds it.

    The previous holder may have written `path`, so check inside the block whether it exists. Temporary files of `path`
    that a killed holder left are deleted. On a file system without locks nothing is locked.

    Raises:
        ShardError: the folder cannot be written.
        filelock.Timeout: `is_cancelled` returned True during the wait.
    """
    lock = _acquire(path, log, is_cancelled)
    if lock is None:
        yield
        return
    try:
        sweep(path.parent, path.name)
        yield
    finally:
        with suppress(OSError):
            # The lock is still held, so a waiting process notices that the file has lost its name.
            Path(lock.lock_file).unlink()
        lock.release()


@contextmanager
def machine_lock(path: Path, log: _Log) -> Iterator[None]:
    """Hold the lock `path` of this machine, which all threads, processes and builds of a data folder share.

    Other machines that share the folder have locks of their own. A wait for another process is logged, a wait for
    another thread is not.
    """
    with (
        _thread_locks.setdefault(path, threading.Lock()),
        locked(path.with_name(f"{path.name}-{platform.node()}"), log),
    ):
        yield


@functools.cache
def has_locks(folder: Path) -> bool:
    """Create a folder and return True if its files can be locked, unlike on NFS or Lustre mounted without locks."""
    probe = folder / f".{uuid.uuid4().hex}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(probe, fallback_to_soft=False):
            return True
    except OSError as error:
        # A folder that cannot be written is refused elsewhere.
        return error.errno not in _LOCKS_UNKNOWN
    finally:
        # A read-only file system raises an error even if the file does not exist.
        with suppress(OSError):
            probe.unlink(missing_ok=True)


def is_held(lock: Path) -> bool:
    """Return True if a process holds the lock with this file. The file is not changed: it may belong to anyone."""
    file = os.open(lock, os.O_RDONLY | os.O_NONBLOCK)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def sweep(folder: Path, names: str) -> None:
    """Delete left-over temporary files of the files that match the pattern `names`.

    The caller must hold the lock of these files.
    """
    for leftover in folder.glob(f".{names}.*partial"):
        leftover.unlink(missing_ok=True)


def _acquire(path: Path, log: _Log, is_cancelled: Callable[[], bool] | None) -> FileLock | None:
    """Return the acquired lock, or None if the file system has no locks."""
    lock = FileLock(path.with_name(f".{path.name}.lock"), fallback_to_soft=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            log.info("%s/%s is in use by another run; waiting for it", path.parent.name, path.name)
            lock.acquire(poll_interval=0.2, cancel_check=is_cancelled)
    except Timeout:
        raise  # cancelled; Timeout is an OSError
    except OSError as error:
        if error.errno in _LOCKS_UNKNOWN:
            return None
        raise ShardError(
            f"{path} cannot be locked ({error}). No partial file is left, and finished files are kept. Free space, or "
            "make the folder writable, and run again."
        ) from error
    return lock
