"""Fetch the files of an OPUS release, or find them in a local mirror.

A base address that is a folder is used in place: nothing is copied. Over HTTP the link file comes first, then the two
zips at the same time, and only the needed documents of a zip where that pays (alignments/download/files.py). A corpus
has the same identity in any case.
"""

import logging
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import httpx

from alignments.download import answers
from alignments.download.answers import shown, unreachable
from alignments.download.files import File, Wanted, bring
from alignments.download.parts import kept
from alignments.download.sessions import Log, Session, Transfer, client
from alignments.release import Archives, Release
from pairs.errors import AbsentError, SettingsError
from pairs.settings import misspelt
from pairs.storage import atomic

__all__ = ["Transfer", "address", "check", "client", "fetch", "here", "in_place"]
__all__ += ["kept", "local_folder", "place", "unreachable"]

_AS_USUAL = Transfer()
_logger = logging.getLogger(__name__)


def fetch(release: Release, base: str, folder: Path, *, transfer: Transfer = _AS_USUAL, log: Log = _logger) -> Archives:
    """Return the files of `release`, downloaded to `<folder>/<corpus>/<release>/` or used where they lie.

    `base` is http(s)://, file:// or a folder. A line a file is logged. Raises SettingsError for another kind of address
    or a proxy that cannot work, SourceError when a file is not there, is damaged or does not come whole (PassingError
    when it may come later), ShardError when it cannot be written.
    """
    source = local_folder(base)
    if source is None:
        with Session(transfer, base, _asked(release), log) as session:
            files = bring(session, [_wanted(release, name, base, folder) for name in release.files])
        sha256 = str(atomic.read_manifest(files[0].path)["sha256"])
    else:
        paths = [in_place(release, source, name) for name in release.files]
        files = [File(path, path.stat().st_size) for path in paths]
        sha256 = atomic.sha256(paths[0])
    return Archives(
        release=release,
        paths={name: file.path for name, file in zip(release.files, files, strict=True)},
        sha256=sha256,
        sizes={name: file.size for name, file in zip(release.files, files, strict=True)},
    )


def here(release: Release, name: str, folder: Path) -> int | None:
    """Return the bytes of a whole file when it, or what this pair needs of it, was fetched; None when not.

    Whether an excerpt still suffices for the links is looked at when it is fetched.
    """
    path = place(release, name, folder)
    if kept(path) is not None:
        return path.stat().st_size
    excerpt = _excerpt(release, path)
    return int(atomic.read_manifest(excerpt)["whole"]) if kept(excerpt) is not None else None


def _excerpt(release: Release, path: Path) -> Path:
    """Return where the members that a pair needs lie; the file's name stays the language's."""
    return path.parent / f"of-{release.a}-{release.b}" / path.name


def _wanted(release: Release, name: str, base: str, folder: Path) -> Wanted:
    path = place(release, name, folder)
    return Wanted(address(base, name), path, _excerpt(release, path))


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
        f"{shown(base)!r} is no base address of OPUS: expected http(s)://, file:// or a folder. Correct it."
    )


def address(base: str, name: str) -> str:
    """Return the whole address of a file under an http(s) base, whose name and password `client` takes."""
    return f"{shown(base).rstrip('/')}/{quote(name)}"


def place(release: Release, name: str, folder: Path) -> Path:
    """Return where a file of the release lands: the address without its first folder, below `<folder>/<corpus>`."""
    return folder / release.corpus / name.partition("/")[2]


def in_place(release: Release, source: Path, name: str) -> Path:
    """Return a file of a base that is a folder; raises AbsentError, with the nearest name, when it is not there."""
    path = source / name
    if not path.is_file():
        raise AbsentError(f"{path} is not there. {_nearest(release, source, name)}")
    return path


def _nearest(release: Release, source: Path, name: str) -> str:
    """Say which part of a missing file's address is the wrong one, and what the folder has instead."""
    corpora, corpus = source, source / f"OPUS-{release.corpus}"
    known = sorted(path.name.removeprefix("OPUS-") for path in corpora.glob("OPUS-*"))
    if not known:
        return f"{source} holds no OPUS-<corpus> folder at all: name another base address."
    if release.corpus not in known:
        return misspelt(release.corpus, known, what=f"corpus under {source}")
    known = sorted(path.name for path in corpus.iterdir() if path.is_dir())
    if release.release not in known:
        return misspelt(release.release, known, what=f"release of {release.corpus} under {source}")
    wanted, suffix = Path(name), ".xml.gz" if name == release.links else ".zip"
    known = sorted(path.name.removesuffix(suffix) for path in (source / wanted.parent).glob(f"*{suffix}"))
    what = f"pair of {release.corpus} {release.release} under {source}" if suffix == ".xml.gz" else "language there"
    return misspelt(wanted.name.removesuffix(suffix), known, what=what)


def check(response: httpx.Response, release: Release, url: str) -> None:
    """Raise SourceError unless the answer is 200: AbsentError, with what was asked for, when it does not exist."""
    answers.check(response, url, _asked(release))


def _asked(release: Release) -> str:
    return f"corpus {release.corpus!r}, release {release.release!r}, pair {release.a}-{release.b}"
