"""Fetch the files of an OPUS release, or find them in a local mirror.

A base address that is a folder is used in place: nothing is copied. Over HTTP the link file comes first, then the two
zips at the same time, and only the needed documents of a zip if that is less to download. A corpus has the same
identity in any case.
"""

import logging
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from bitext_pivot.alignments.download.file import Download
from bitext_pivot.alignments.download.members import (
    NeededDocuments,
    digest,
    download_members,
)
from bitext_pivot.alignments.download.part import is_downloaded
from bitext_pivot.alignments.download.responses import redacted
from bitext_pivot.alignments.download.session import Log, Session, UnsuitedError
from bitext_pivot.alignments.release import DAMAGE_ERRORS, Release, ReleaseFiles
from bitext_pivot.core.errors import AbsentError, DamagedError, SettingsError
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

_logger = logging.getLogger(__name__)


def fetch(release: Release, site: Site, *, whole: bool = False, log: Log = _logger) -> ReleaseFiles:
    """Return the files of `release`, downloaded to `<site.opus_folder>/<corpus>/<release>/` or used in place.

    `site.opus` is http(s)://, file:// or a folder. If `whole`, the zips have all documents, not only those that the
    links name. One line per file is logged.

    Raises:
        SettingsError: another kind of address, or an unusable proxy.
        SourceError: a file does not exist or is not received completely (TransientError if that may pass).
        DamagedError: a file is damaged.
        ShardError: a file cannot be written.
    """
    source = local_folder(site.opus)
    if source is None:
        with Session(site, describe_release(release), log) as session:
            return _describe_files(release, _download(session, release, whole=whole))
    return _describe_files(release, [find_in_folder(source, name) for name in release.files])


def find(release: Release, site: Site) -> ReleaseFiles | None:
    """Return the files of `release` if all are on this machine. Downloaded zips are not compared with their digests.

    Raises AbsentError and DamagedError if the base is a folder.
    """
    if local_folder(site.opus) is not None:
        return fetch(release, site)
    paths = [
        path for name in release.files if (path := find_download(release, name, site.opus_folder))
    ]
    with suppress(DamagedError):  # a build fetches the file again
        return _describe_files(release, paths) if len(paths) == len(release.files) else None
    return None


def discard(path: Path, site: Site) -> bool:
    """Delete a downloaded file that is damaged, so that it is fetched again; return False for any other file."""
    if local_folder(site.opus) is not None or not path.is_relative_to(site.opus_folder):
        return False
    path.unlink(missing_ok=True)
    return True


def _describe_files(release: Release, paths: Sequence[Path]) -> ReleaseFiles:
    first, *others = zip(release.files, paths, strict=True)
    return ReleaseFiles(
        release=release,
        paths=dict([first, *others]),
        identity={first[0]: _identify_file(first[1])}
        | {name: _identify_archive(path) for name, path in others},
    )


def _identify_file(path: Path) -> dict[str, str | int]:
    return {"bytes": path.stat().st_size, "sha256": atomic.sha256(path)}


def _identify_archive(path: Path) -> dict[str, str | int]:
    """Return bytes and digest of the directory of a zip, for one of members those of the whole zip."""
    facts = atomic.find_sealed(atomic.manifest_path(path)) or {}
    if "whole" in facts:
        return {"bytes": facts["whole"], "directory": facts["directory"]}
    try:
        with zipfile.ZipFile(path) as archive:
            return {"bytes": path.stat().st_size, "directory": digest(archive.infolist())}
    except DAMAGE_ERRORS as error:
        raise DamagedError(
            path, f"{path} is no zip of OPUS documents ({error}). Use another mirror."
        ) from error


def _download(session: Session, release: Release, *, whole: bool) -> list[Path]:
    """Download the link file or lines, then the documents of both languages; the first failure stops the other."""
    links, *archives = (
        download_path(release, name, session.site.opus_folder) for name in release.files
    )
    url, *urls = (file_url(session.site.opus, name) for name in release.files)
    Download(session, url, links).run()

    def download_archive(side: int) -> Path:
        path, members = archives[side], _members_path(release, archives[side])
        if not whole and not is_downloaded(path):
            try:
                needed = NeededDocuments(links, release.languages, side)
                download_members(session, urls[side], members, needed)
            except UnsuitedError as reason:
                session.log.info("%s is fetched whole: %s", path.name, reason)
            else:
                return members
        Download(session, urls[side], path).run()
        return path

    with ThreadPoolExecutor(session.site.downloads) as pool:
        jobs = [
            pool.submit(copy_context().run, download_archive, side) for side in range(len(archives))
        ]
        try:
            for job in as_completed(jobs):
                job.result()
        except BaseException:  # KeyboardInterrupt too: the pool would wait for gigabytes
            session.halted.set()
            raise
    return [links, *(job.result() for job in jobs)]


def find_download(release: Release, name: str, folder: Path) -> Path | None:
    """Return a downloaded file, or the zip of the members of it that this pair needs; None if there is neither."""
    path = download_path(release, name, folder)
    return next(filter(is_downloaded, (path, _members_path(release, path))), None)


def _members_path(release: Release, path: Path) -> Path:
    """Return the path of the zip of members; its name remains that of the language."""
    return path.parent / f"of-{release.a}-{release.b}" / path.name


def local_folder(base: str) -> Path | None:
    """Return the folder that a base address names, None for http(s); raises SettingsError for any other scheme."""
    scheme, separator, _ = base.partition("://")
    if not separator:
        return Path(base)
    if scheme in {"http", "https"}:
        return None
    if scheme == "file":
        return Path(url2pathname(urlsplit(base).path))
    raise SettingsError(
        f"{redacted(base)!r} is no base address of OPUS: expected http(s)://, file:// or a folder. Correct it."
    )


def file_url(base: str, name: str) -> str:
    """Return the address of a file below an http(s) base, without user name and password."""
    return f"{redacted(base).rstrip('/')}/{quote(name)}"


def download_path(release: Release, name: str, folder: Path) -> Path:
    """Return the path of a downloaded file: `<folder>/<corpus>` and the address without its first folder."""
    return folder / release.corpus / name.partition("/")[2]


def find_in_folder(source: Path, name: str) -> Path:
    """Return a file of a base that is a folder; raises AbsentError, with the nearest name, if it does not exist."""
    path = source / name
    if not path.is_file():
        raise AbsentError(f"{path} is not there. {_suggest_name(path, source)}")
    return path


def _suggest_name(path: Path, source: Path) -> str:
    """Return a sentence about the first part of a path that does not exist, with the nearest name there.

    Of the folders above the base nothing is listed: they are the machine's.
    """
    if not source.is_dir():
        return (
            f"There is no folder {source}: BITEXT_PIVOT_OPUS names the folder or address of a mirror. "
            "Correct the variable, or unset it to use OPUS itself."
        )
    while not path.parent.is_dir():
        path = path.parent
    return misspelt(
        path.name,
        sorted(entry.name for entry in path.parent.iterdir()),
        what=f"entry of {path.parent}",
    )


def describe_release(release: Release) -> str:
    """Return the names of a release for messages."""
    return f"corpus {release.corpus!r}, release {release.version!r}, pair {release.a}-{release.b}"
