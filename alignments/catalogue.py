"""What a plan says of a corpus before a byte moves: the sizes of its files, what is here already, and its licence."""

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

import httpx

from alignments import opus
from alignments.opus import Release

_LICENCES = Path(__file__).with_name("licences.toml")


@dataclass(frozen=True, slots=True)
class FileSize:
    """One file of a release: its address relative to the base, its bytes where known, whether it is here."""

    name: str
    bytes: int | None
    here: bool


def sizes(release: Release, base: str, folder: Path, *, timeout: float = 60.0) -> list[FileSize]:
    """Return what `opus.fetch` with the same arguments would bring, by asking for headers only.

    Files of a base that is a folder are used in place, so they are here. Raises SourceError when a file does not exist
    or the base does not answer, SettingsError for an unknown kind of address.
    """
    source = opus.local_folder(base)
    if source is not None:
        paths = [opus.in_place(release, source, name) for name in release.files]
        return [FileSize(name, path.stat().st_size, True) for name, path in zip(release.files, paths, strict=True)]
    with opus.client(timeout) as session:
        return [_remote(session, release, name, base, folder) for name in release.files]


def licence(corpus: str) -> str:
    """Return the licence of a corpus by our own table: SPDX where there is one, `unknown` where none is stated."""
    entry = _table().get(corpus)
    return entry["licence"] if entry else "unknown"


@functools.cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads(_LICENCES.read_text(encoding="utf-8"))
    return table


def _remote(session: httpx.Client, release: Release, name: str, base: str, folder: Path) -> FileSize:
    path = opus.place(release, name, folder)
    if opus.kept(path) is not None:
        return FileSize(name, path.stat().st_size, True)
    url = opus.address(base, name)
    try:
        response = session.head(url)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise opus.unreachable(url, error) from error
    opus.check(response, release, url)
    announced = response.headers.get("Content-Length", "")
    return FileSize(name, int(announced) if announced.isdecimal() else None, False)
