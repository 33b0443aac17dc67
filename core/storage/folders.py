"""Folders for builds, on this machine or on a shared file system."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.core.untrusted import shown

_URL = re.compile(r"([a-z][a-z0-9+.-]+):/", re.IGNORECASE)


def refuse_url(path: str | Path, what: str) -> None:
    """Raise SettingsError if a path is a URL, such as s3://bucket/corpora. `what` names it in the message."""
    # The message does not repeat the URL, which may contain a password.
    if scheme := _URL.match(str(path)):
        raise SettingsError(
            f"{what} starts with {scheme[1]}://, expected a folder. Builds need the file locks of a file system, which "
            "object stores do not have. Mount the store, or copy data sets with a tool such as `aws s3 sync` "
            "(docs/scaling.md)."
        )


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Raise SettingsError if the folder cannot be read."""
    try:
        yield
    except (OSError, ShardError) as error:
        raise SettingsError(f"{folder} cannot be read ({error}). Expected a folder.") from error


def try_out(folder: Path) -> None:
    """Write and delete a small file in a folder of builds.

    Raises SettingsError when shards cannot be written there, or `latest` in it could not point to a new data set.
    """
    check_latest(folder)
    probe = folder / f"probe-{uuid.uuid4().hex}.txt"
    try:
        atomic.write_text(probe, "A test whether shards can be written to this folder.\n")
        probe.unlink()
    except (ShardError, OSError) as error:
        raise SettingsError(
            f"Files cannot be written to {folder} ({shown(error)}). Name another folder with "
            "BITEXT_PIVOT_BUILDS, BITEXT_PIVOT_HOME or BITEXT_PIVOT_CACHE."
        ) from error


def check_latest(folder: Path) -> None:
    """Refuse a folder of builds in which `latest` is no link, as in a copy without links: it would stay as it is.

    Raises SettingsError.
    """
    latest = folder / "latest"
    what = received.kind_of_file(latest)
    if what not in {"link", "absent"}:
        raise SettingsError(
            f"{latest} is a {what}, expected the link to the newest data set, perhaps because the folder was copied. "
            "Move it away and run again."
        )


def point_latest(folder: Path) -> None:
    """Make `latest` beside a data set's folder point at it; nothing else in a build reads it.

    It is a relative symbolic link, replaced atomically. A file system without links gets `latest.txt` with the
    folder's name. Raises ShardError when neither can be written, SettingsError as `check_latest`.
    """
    check_latest(folder.parent)
    if _is_latest(folder):
        return  # nothing is written: the folder may be read-only
    if not _linked(folder):
        atomic.write_text(folder.with_name("latest.txt"), f"{folder.name}\n")


def _is_latest(folder: Path) -> bool:
    latest = folder.with_name("latest")
    return latest.is_symlink() and latest.readlink() == Path(folder.name)


def _linked(folder: Path) -> bool:
    partial = folder.with_name(f".latest.{uuid.uuid4().hex}.partial")
    try:
        partial.symlink_to(folder.name, target_is_directory=True)
        partial.replace(folder.with_name("latest"))
    except OSError:
        with suppress(OSError):
            partial.unlink()
        return False
    return True
