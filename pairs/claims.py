"""A claim on what is being built: two runs of one build, side by side, do not make the same shard twice.

A claim is a lock of the operating system on a hidden file beside the shard. It ends with the process that holds it,
whatever ended that, so nobody waits for the dead. It saves work and no more: what keeps a shard whole is the rename
(pairs/atomic.py), and two runs that could not see each other's claims would write the same bytes twice.
"""

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from pairs.errors import ShardError

Log = logging.Logger | logging.LoggerAdapter[logging.Logger]
_LOCKS_UNKNOWN = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK})


@contextmanager
def claimed(path: Path, log: Log) -> Iterator[None]:
    """Hold the claim on `path` inside the block, waiting while another thread or process has it.

    Ask for `path` again inside: the other may have made it meanwhile. What a killed holder left of it under a temporary
    name is swept away. In an object store, and on a file system without locks, nothing is held. Raises ShardError when
    the folder cannot be written.
    """
    lock = _taken(path, log)
    if lock is None:
        yield
        return
    try:
        sweep(path.parent, path.name)
        yield
    finally:
        with suppress(OSError):
            Path(lock.lock_file).unlink()  # while it is held: whoever waits on this file sees that it has no name
        lock.release()


def sweep(folder: Path, names: str) -> None:
    """Remove what was killed while it was written: temporary files of those files that fit the pattern `names`.

    Only under a claim that nobody else writes them with.
    """
    if isinstance(folder, Path):
        for leftover in folder.glob(f".{names}.*partial"):
            leftover.unlink(missing_ok=True)


def _taken(path: Path, log: Log) -> FileLock | None:
    """Return the lock, held, or None where there are no locks."""
    if not isinstance(path, Path):
        return None  # of an object store
    lock = FileLock(path.with_name(f".{path.name}.lock"), fallback_to_soft=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            log.info("%s/%s is being built by another run; waiting for it", path.parent.name, path.name)
            lock.acquire(poll_interval=0.2)
    except OSError as error:
        if error.errno in _LOCKS_UNKNOWN:
            return None
        raise ShardError(
            f"{path} cannot be claimed ({error}). Nothing half-written is left; free space or mend the folder and run "
            "again: what is built stays built."
        ) from error
    return lock
