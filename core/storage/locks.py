"""File locks: concurrent runs do not build the same file twice, and one heavy model at a time saturates the cores.

The operating system releases a lock when the process that holds it ends, for whatever reason. Locks only save work:
atomic renames (core/storage/atomic.py) keep files complete, so runs that do not share locks write the same bytes.
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
_threads: dict[Path, threading.Lock] = {}
"""A lock of this process for each lock of this machine."""


@contextmanager
def locked(
    path: Path, log: _Log, *, is_cancelled: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Hold the lock of the file or folder `path` inside the block; wait while another thread or process holds it.

    The other holder may have made `path` meanwhile, so look for it again inside. Temporary files that a killed holder
    left of `path` are deleted. Nothing is locked on a file system without locks.

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
            Path(
                lock.lock_file
            ).unlink()  # while it is held: a waiting process sees that the file lost its name
        lock.release()


@contextmanager
def machine_lock(path: Path, log: _Log) -> Iterator[None]:
    """Hold the lock `path` of this machine, which all threads, processes and builds of a data folder share.

    Other machines that share the folder have locks of their own. Threads of one process wait in silence.
    """
    with (
        _threads.setdefault(path, threading.Lock()),
        locked(path.with_name(f"{path.name}-{platform.node()}"), log),
    ):
        yield


@functools.cache
def has_locks(folder: Path) -> bool:
    """Return whether files in a folder, which is made, can be locked: not on NFS or Lustre mounted without locks."""
    probe = folder / f".{uuid.uuid4().hex}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(probe, fallback_to_soft=False):
            return True
    except OSError as error:
        return (
            error.errno not in _LOCKS_UNKNOWN
        )  # a folder that cannot be written is refused elsewhere
    finally:
        with suppress(OSError):  # of a read-only file system, even if there is no such file
            probe.unlink(missing_ok=True)


def is_held(lock: Path) -> bool:
    """Return True if a process holds the file of a lock, which may be anyone's: it is not written."""
    file = os.open(lock, os.O_RDONLY | os.O_NONBLOCK)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def sweep(folder: Path, names: str) -> None:
    """Delete temporary files of the files that match the pattern `names`. Call it only while holding their lock."""
    for leftover in folder.glob(f".{names}.*partial"):
        leftover.unlink(missing_ok=True)


def _acquire(path: Path, log: _Log, is_cancelled: Callable[[], bool] | None) -> FileLock | None:
    """Return the lock, acquired, or None where there are no locks."""
    lock = FileLock(path.with_name(f".{path.name}.lock"), fallback_to_soft=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            log.info("%s/%s is in use by another run; waiting for it", path.parent.name, path.name)
            lock.acquire(poll_interval=0.2, cancel_check=is_cancelled)
    except Timeout:
        raise  # cancelled; it is an OSError, too
    except OSError as error:
        if error.errno in _LOCKS_UNKNOWN:
            return None
        raise ShardError(
            f"{path} cannot be locked ({error}). Nothing half-written is left; free space or repair the folder and run "
            "again: what is built stays built."
        ) from error
    return lock
