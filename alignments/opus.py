"""Download the files of an OPUS release, or find them in a local mirror.

If the base address (BITEXT_PIVOT_OPUS) is a folder, its files are used in place and not copied. Over HTTP, the link
file is downloaded first, then both zips at the same time. Shard keys depend on the files, not on their origin.
"""

import hashlib
import logging
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from bitext_pivot.alignments.download.file_download import FileDownload
from bitext_pivot.alignments.download.partial_file import is_downloaded
from bitext_pivot.alignments.download.responses import redacted
from bitext_pivot.alignments.download.session import DownloadSession
from bitext_pivot.alignments.release import DAMAGE_ERRORS, Release, ReleaseFiles
from bitext_pivot.core.errors import AbsentError, DamagedError, SettingsError
from bitext_pivot.core.progress import Logger
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

_logger = logging.getLogger(__name__)


def fetch(release: Release, site: Site, *, log: Logger = _logger) -> ReleaseFiles:
    """Return the files of a release, after downloading them unless the base address is a folder.

    Downloads go to `<site.opus_folder>/<corpus>/<release>/`. `site.opus` is a folder or an address that begins with
    http://, https:// or file://. One line is logged per file.

    Raises:
        SettingsError: the address has another scheme, or the proxy cannot be used.
        SourceError: a file does not exist or was not received completely (TransientError if a retry may help).
        DamagedError: a file is damaged.
        ShardError: a file cannot be written.
    """
    source = local_folder(site.opus)
    if source is None:
        with DownloadSession(site, describe_release(release), log) as session:
            return _describe_files(release, _download(session, release))
    return _describe_files(release, [find_in_folder(source, name) for name in release.files])


def find(release: Release, site: Site) -> ReleaseFiles | None:
    """Return the files of a release if all of them are on this machine, or None.

    Downloaded zips are not compared with their digests. If the base address is a folder, AbsentError is raised for a
    missing file and DamagedError for a damaged file.
    """
    if local_folder(site.opus) is not None:
        return fetch(release, site)
    paths = [
        path for name in release.files if (path := find_download(release, name, site.opus_folder))
    ]
    with suppress(DamagedError):  # the build will download the file again
        return _describe_files(release, paths) if len(paths) == len(release.files) else None
    return None


def discard(path: Path, site: Site) -> bool:
    """Delete a damaged download, so that it is downloaded again. Returns False for any other file."""
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
    """Return the size of a zip and the digest of its central directory. Raises DamagedError if it is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {"bytes": path.stat().st_size, "directory": _digest(archive.infolist())}
    except DAMAGE_ERRORS as error:
        raise DamagedError(
            path, f"{path} is not a zip of OPUS documents ({error}). Use another mirror."
        ) from error


def _digest(members: Iterable[zipfile.ZipInfo]) -> str:
    """Return the SHA-256 of the names, sizes and CRC-32 of all members of a zip, in file order.

    CRC-32 detects damage, but not a text that was forged to have the same checksum.
    """
    ordered = sorted(members, key=lambda info: info.header_offset)
    lines = (f"{info.filename}\0{info.file_size}\0{info.CRC:08x}\n" for info in ordered)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _download(session: DownloadSession, release: Release) -> list[Path]:
    """Download the link file or the Moses zip, then the documents of both languages at the same time.

    If one of the two downloads fails, the other is stopped.
    """
    first, *archives = (
        FileDownload(
            session,
            file_url(session.site.opus, name),
            download_path(release, name, session.site.opus_folder),
        )
        for name in release.files
    )
    first.run()
    with ThreadPoolExecutor(session.site.downloads) as pool:
        jobs = [pool.submit(copy_context().run, archive.run) for archive in archives]
        try:
            for job in as_completed(jobs):
                job.result()
        except BaseException:  # even KeyboardInterrupt, or the pool would wait for gigabytes
            session.halted.set()
            raise
    return [download.path for download in (first, *archives)]


def find_download(release: Release, name: str, folder: Path) -> Path | None:
    """Return the path of a downloaded file, or None if it is missing or incomplete."""
    path = download_path(release, name, folder)
    return path if is_downloaded(path) else None


def local_folder(base: str) -> Path | None:
    """Return the folder that a base address names, or None for http(s).

    Raises SettingsError for any other scheme.
    """
    scheme, separator, _ = base.partition("://")
    if not separator:
        return Path(base)
    if scheme in {"http", "https"}:
        return None
    if scheme == "file":
        return Path(url2pathname(urlsplit(base).path))
    raise SettingsError(
        f"{redacted(base)!r} is not a base address of OPUS; expected http(s)://, file:// or a folder. "
        "Correct BITEXT_PIVOT_OPUS."
    )


def file_url(base: str, name: str) -> str:
    """Return the URL of a file below an http(s) base, without user name and password."""
    return f"{redacted(base).rstrip('/')}/{quote(name)}"


def download_path(release: Release, name: str, folder: Path) -> Path:
    """Return the path to which a file is downloaded.

    The path is `<folder>/<corpus>/`, followed by the file's relative URL without the first folder.
    """
    return folder / release.corpus / name.partition("/")[2]


def find_in_folder(source: Path, name: str) -> Path:
    """Return the path of the file `name` in a folder that is used instead of OPUS.

    Raises AbsentError with the most similar existing name if the file does not exist.
    """
    path = source / name
    if not path.is_file():
        raise AbsentError(f"{path} does not exist. {_suggest_name(path, source)}")
    return path


def _suggest_name(path: Path, source: Path) -> str:
    """Return a sentence that suggests an existing name for the first missing part of a path.

    Only folders in `source` are listed. Those above it belong to the machine and not to the mirror.
    """
    if not source.is_dir():
        return (
            f"There is no folder {source}; BITEXT_PIVOT_OPUS must name the folder or address of a mirror. "
            "Correct the variable, or unset it to use OPUS itself."
        )
    while not path.parent.is_dir():
        path = path.parent
    return misspelt(
        path.name,
        sorted(entry.name for entry in path.parent.iterdir()),
        what=f"file or folder in {path.parent}",
    )


def describe_release(release: Release) -> str:
    """Return the corpus, release and language pair as they appear in messages."""
    return f"corpus {release.corpus!r}, release {release.version!r}, pair {release.a}-{release.b}"
