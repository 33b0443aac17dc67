"""Fetch the files of an OPUS release, or find them in a local mirror.

A base address that is a folder is used in place: nothing is copied. Over HTTP the link file comes first, then the two
zips at the same time, and only the needed documents of a zip if that is less to download. A corpus has the same
identity in any case.
"""

import logging
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from bitext_pivot.alignments.download.file import Download
from bitext_pivot.alignments.download.members import NeededDocuments, UnsuitedError, download_members
from bitext_pivot.alignments.download.part import is_complete
from bitext_pivot.alignments.download.responses import redacted
from bitext_pivot.alignments.download.session import Log, Session
from bitext_pivot.alignments.release import Archives, Release
from bitext_pivot.core.errors import AbsentError, SettingsError
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

_logger = logging.getLogger(__name__)


def fetch(release: Release, site: Site, *, whole: bool = False, log: Log = _logger) -> Archives:
    """Return the files of `release`, downloaded to `<site.opus_folder>/<corpus>/<release>/` or used in place.

    `site.opus` is http(s)://, file:// or a folder. If `whole`, the zips have all documents, not only those that the
    links name. One line per file is logged.

    Raises:
        SettingsError: another kind of address, or an unusable proxy.
        SourceError: a file does not exist, is damaged or is not received completely (TransientError if that may pass).
        ShardError: a file cannot be written.
    """
    source = local_folder(site.opus)
    if source is None:
        with Session(site, requested(release), log) as session:
            paths = _download(session, release, whole=whole)
        sizes = [here(release, name, site.opus_folder) or 0 for name in release.files]
        sha256 = str(atomic.read_manifest(paths[0])["sha256"])
    else:
        paths = [in_place(source, name) for name in release.files]
        sizes = [path.stat().st_size for path in paths]
        sha256 = atomic.sha256(paths[0])
    return Archives(
        release=release,
        paths=dict(zip(release.files, paths, strict=True)),
        sha256=sha256,
        sizes=dict(zip(release.files, sizes, strict=True)),
    )


def fetch_documents(release: Release, site: Site, *, log: Log = _logger) -> tuple[Path, str]:
    """Return the zip of all documents of a release in its first language, and its SHA-256; raises as `fetch`."""
    name, source = release.sentences(release.a), local_folder(site.opus)
    if source is not None:
        path = in_place(source, name)
        return path, atomic.sha256(path)
    path = place(release, name, site.opus_folder)
    with Session(site, requested(release), log) as session:
        Download(session, address(site.opus, name), path).run()
    return path, str(atomic.read_manifest(path)["sha256"])


def _download(session: Session, release: Release, *, whole: bool) -> list[Path]:
    """Download the link file or lines, then the documents of both languages; the first failure stops the other."""
    links, *archives = (place(release, name, session.site.opus_folder) for name in release.files)
    url, *urls = (address(session.site.opus, name) for name in release.files)
    Download(session, url, links).run()
    needed = NeededDocuments(links)

    def download_archive(side: int) -> Path:
        path, members = archives[side], _members_path(release, archives[side])
        if not whole and not is_complete(path):
            try:
                download_members(session, urls[side], members, needed, side)
            except UnsuitedError as reason:
                session.log.info("%s is fetched whole: %s", path.name, reason)
            else:
                return members
        Download(session, urls[side], path).run()
        return path

    with ThreadPoolExecutor(session.site.downloads) as pool:
        jobs = [pool.submit(copy_context().run, download_archive, side) for side in range(len(archives))]
        try:
            for job in as_completed(jobs):
                job.result()
        except BaseException:  # KeyboardInterrupt too: the pool would wait for gigabytes
            session.halted.set()
            raise
    return [links, *(job.result() for job in jobs)]


def here(release: Release, name: str, folder: Path) -> int | None:
    """Return the bytes of a whole file if it, or a zip of the members that this pair needs, is here; None otherwise."""
    path = place(release, name, folder)
    if is_complete(path):
        return path.stat().st_size
    members = _members_path(release, path)
    return int(atomic.read_manifest(members)["whole"]) if is_complete(members) else None


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


def address(base: str, name: str) -> str:
    """Return the address of a file below an http(s) base, without user name and password."""
    return f"{redacted(base).rstrip('/')}/{quote(name)}"


def place(release: Release, name: str, folder: Path) -> Path:
    """Return the path of a downloaded file: `<folder>/<corpus>` and the address without its first folder."""
    return folder / release.corpus / name.partition("/")[2]


def in_place(source: Path, name: str) -> Path:
    """Return a file of a base that is a folder; raises AbsentError, with the nearest name, if it does not exist."""
    path = source / name
    if not path.is_file():
        raise AbsentError(f"{path} is not there. {_nearest(path)}")
    return path


def _nearest(path: Path) -> str:
    """Return a sentence about the first part of a path that does not exist, with the nearest name there."""
    while not path.parent.is_dir():
        path = path.parent
    return misspelt(path.name, sorted(entry.name for entry in path.parent.iterdir()), what=f"entry of {path.parent}")


def requested(release: Release) -> str:
    """Return the names of a release for messages."""
    return f"corpus {release.corpus!r}, release {release.release!r}, pair {release.a}-{release.b}"
