"""Folders for builds: local, on a shared file system, or in an object store.

A path of an object store is a `upath.UPath`, which has the methods of a `pathlib.Path`.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.core.untrusted import shown

EXPECTED = "Expected a folder, or an object store whose bucket exists and whose keys are in the environment"


def opened(address: str) -> Path:
    """Return the folder at an address, a path or a URL (s3://bucket/name); raises SettingsError for unknown URLs."""
    if "://" not in address:
        return Path(address)
    optional_packages.require("upath", "s3", f"The address {address}", "name a folder")
    from upath import UPath

    try:
        # A cached listing would hide shards that other machines have built since.
        return cast(Path, UPath(address, use_listings_cache=False))
    except ValueError as error:
        raise SettingsError(
            f"{address!r} is no address of a folder ({error}). {EXPECTED}; that of builds is BITEXT_PIVOT_BUILDS."
        ) from error


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@contextmanager
def reading(address: str) -> Iterator[None]:
    """Raise SettingsError for what keeps the folder at an address from being read."""
    try:
        yield
    except SettingsError:
        raise
    except Exception as error:
        is_of_store = "://" in address  # each library of object stores has exceptions of its own
        if not is_of_store and not isinstance(error, OSError | ShardError):
            raise
        raise SettingsError(f"{address} cannot be read ({error}). {EXPECTED}.") from error


def try_out(folder: Path) -> None:
    """Write and delete a small file in a folder of builds.

    Raises SettingsError when shards cannot be written there, or `latest` in it could not point to a new data set.
    """
    check_latest(folder)
    probe = folder / f"probe-{uuid.uuid4().hex}.txt"
    try:
        atomic.write_text(probe, "A test whether shards can be written to this folder.\n")
        probe.unlink()
    except ImportError as error:
        raise SettingsError(
            f"{folder} needs a package that is not installed here ({error}). For s3:// install it with "
            "`pip install 'bitext-pivot[s3]'`."
        ) from error
    except (ShardError, OSError) as error:
        raise SettingsError(
            f"Files cannot be written to {folder} ({shown(error)}). {EXPECTED} (docs/scaling.md). Set "
            "BITEXT_PIVOT_BUILDS, BITEXT_PIVOT_HOME or BITEXT_PIVOT_CACHE, which names it."
        ) from error


def check_latest(folder: Path) -> None:
    """Refuse a folder of builds in which `latest` is no link, as in a copy without links: it would stay as it is.

    Raises SettingsError.
    """
    latest = folder / "latest"
    if isinstance(folder, Path) and (what := received.kind_of_file(latest)) not in {
        "link",
        "absent",
    }:
        raise SettingsError(
            f"{latest} is a {what}, expected the link to the newest data set, perhaps because the folder was copied. "
            "Move it away and run again."
        )


def point_latest(folder: Path) -> None:
    """Make `latest` beside a data set's folder point at it; nothing else in a build reads it.

    A relative symbolic link, replaced atomically. Object stores and Windows without the right to make links get
    `latest.txt` with the folder's name. Raises ShardError when neither can be written, SettingsError as `check_latest`.
    """
    check_latest(folder.parent)
    if isinstance(folder, Path) and _is_latest(folder):
        return  # nothing is written: the folder may be read-only
    if not (isinstance(folder, Path) and _linked(folder)):
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
