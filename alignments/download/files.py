"""The files of one release by HTTP: the first by itself, then the archives of documents at the same time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

from alignments.download.excerpts import Excerpt, Needs, UnsuitedError
from alignments.download.file import Download
from alignments.download.parts import kept
from alignments.download.sessions import Session
from pairs.storage import atomic


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to be fetched: where from, where to, and where a zip of some of its members goes."""

    url: str
    path: Path
    excerpt: Path


@dataclass(frozen=True, slots=True)
class File:
    """A file on this machine: the whole, or a zip of some members of it."""

    path: Path
    size: int
    """Bytes of the whole."""


def bring(session: Session, wanted: Sequence[Wanted]) -> list[File]:
    """Return the files, fetched unless they are here; the first one is the link file when there are others.

    The first failure stops the others where they are. Raises as `Download.run`, and SourceError when the link file is
    damaged.
    """
    links, *archives = wanted
    files = [_whole(session, links)]
    needs = Needs(links.path)
    with ThreadPoolExecutor(session.transfer.files) as pool:
        coming = [
            pool.submit(copy_context().run, _documents, session, needs, side, archive)  # whoever listens hears of both
            for side, archive in enumerate(archives)
        ]
        try:
            for done in as_completed(coming):
                done.result()
        except BaseException:  # also of the keyboard: the pool would wait for gigabytes
            session.halt.set()
            raise
    return files + [future.result() for future in coming]


def _documents(session: Session, needs: Needs, side: int, archive: Wanted) -> File:
    """Fetch the documents of one language: the members needed, or all where that is cheaper or cannot be helped."""
    if session.transfer.share and kept(archive.path) is None:
        try:
            Excerpt(session, archive.url, archive.excerpt, needs, side).bring()
        except UnsuitedError as reason:
            session.log.info("%s is fetched whole: %s", archive.path.name, reason)
        else:
            return File(archive.excerpt, int(atomic.read_manifest(archive.excerpt)["whole"]))
    return _whole(session, archive)


def _whole(session: Session, file: Wanted) -> File:
    Download(session, file.url, file.path).run()
    return File(file.path, file.path.stat().st_size)
