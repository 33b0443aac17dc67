"""The sizes of a release's files before a byte moves: as the server announces them, or as the catalogue has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from alignments import opus
from alignments.release import Release


@dataclass(frozen=True, slots=True)
class FileSize:
    """One file of a release: its address relative to the base, its bytes where known, whether it is here."""

    name: str
    bytes: int | None
    here: bool
    catalogued: bool = False
    """The bytes are the catalogue's, rounded down to KiB; the server was not asked or did not tell."""


def sizes(
    release: Release, base: str, folder: Path, *, timeout: float = 60.0, proxy: str | None = None
) -> list[FileSize]:
    """Return what `opus.fetch` with the same arguments would bring, by asking for headers only.

    Files of a base that is a folder are used in place, so they are here. Raises SourceError when a file does not exist
    or the base does not answer, SettingsError for an unknown kind of address.
    """
    source = opus.local_folder(base)
    if source is not None:
        paths = [opus.in_place(release, source, name) for name in release.files]
        return [FileSize(name, path.stat().st_size, True) for name, path in zip(release.files, paths, strict=True)]
    with opus.client(timeout, base=base, proxy=proxy) as session:
        return [_remote(session, release, name, base, folder) for name in release.files]


def catalogued(release: Release, folder: Path, known: Mapping[str, int]) -> list[FileSize]:
    """Return the same without a network: what is here with its size, the rest with the bytes of the catalogue."""
    return [_kept(release, name, folder) or FileSize(name, known.get(name), False, True) for name in release.files]


def _kept(release: Release, name: str, folder: Path) -> FileSize | None:
    here = opus.here(release, name, folder)
    return None if here is None else FileSize(name, here, True)


def _remote(session: httpx.Client, release: Release, name: str, base: str, folder: Path) -> FileSize:
    here = _kept(release, name, folder)
    if here is not None:
        return here
    url = opus.address(base, name)
    try:
        response = session.head(url)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise opus.unreachable(url, error) from error
    opus.check(response, release, url)
    announced = response.headers.get("Content-Length", "")
    return FileSize(name, int(announced) if announced.isdecimal() else None, False)
