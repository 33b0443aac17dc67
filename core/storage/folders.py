"""Check the folders into which builds write, and point the link `latest` to a data set."""

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
    """Return the total size of all files in a folder, in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Raise SettingsError if the code in this context fails to read the folder."""
    try:
        yield
    except (OSError, ShardError) as error:
        raise SettingsError(f"{folder} cannot be read ({error}). Expected a folder.") from error


def try_out(folder: Path) -> None:
    """Check that a build can write into a folder, by writing and deleting a small file.

    Raises SettingsError if that fails, or if `latest` in the folder cannot be pointed to a new data set.
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
    """Raise SettingsError if `latest` in a folder of builds is not a link, for example in a copy without links.

    Such a file would never be updated.
    """
    latest = folder / "latest"
    what = received.kind_of_file(latest)
    if what not in {"link", "absent"}:
        raise SettingsError(
            f"{latest} is a {what}, perhaps because the folder was copied; expected the link to the newest data set. "
            "Move it away and run again."
        )


def point_latest(folder: Path) -> None:
    """Point the link `latest`, in the parent folder, to the folder of a data set. No build reads the link.

    The link is relative and symbolic, and is replaced atomically. On a file system without links, the file `latest.txt`
    contains the name of the folder instead. Raises ShardError if neither can be written, and the errors of
    `check_latest`.
    """
    check_latest(folder.parent)
    if _is_latest(folder):
        return  # the folder may be read-only, so nothing is written
    if not _link_latest(folder):
        atomic.write_text(folder.with_name("latest.txt"), f"{folder.name}\n")


def _is_latest(folder: Path) -> bool:
    latest = folder.with_name("latest")
    return latest.is_symlink() and latest.readlink() == Path(folder.name)


def _link_latest(folder: Path) -> bool:
    partial = folder.with_name(f".latest.{uuid.uuid4().hex}.partial")
    try:
        partial.symlink_to(folder.name, target_is_directory=True)
        partial.replace(folder.with_name("latest"))
    except OSError:
        with suppress(OSError):
            partial.unlink()
        return False
    return True
