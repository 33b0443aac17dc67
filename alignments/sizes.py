"""Sizes of the files of a release without downloading them: from the server or from the catalogue."""

import gzip
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.catalogue.entries import doubt, doubt_documents, is_slip, lookup
from bitext_pivot.alignments.catalogue.opusdata import database
from bitext_pivot.alignments.download.responses import TransientError
from bitext_pivot.alignments.download.session import Session
from bitext_pivot.alignments.release import DAMAGES, Archives, Release
from bitext_pivot.alignments.zips import members, opened
from bitext_pivot.core.errors import AbsentError, SettingsError, SourceError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic

PATIENCE = 10  # seconds to wait for the sizes that a server announces
_COUNTABLE = 100_000_000
"""Bytes of a compressed file whose links are counted: about ten seconds of one core."""
_BLOCK = 1 << 20
_LINK = re.compile(rb"<link[\s/>]")
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileSize:
    """A file of a release: address relative to the base, bytes if known, True if it is on this machine."""

    name: str
    bytes: int | None
    is_local: bool
    catalogued: bool = False
    """True if the bytes are from the catalogue, which rounds down to KiB."""


def sizes(release: Release, site: Site) -> list[FileSize]:
    """Return the files that `opus.fetch` would download, with their sizes, by HEAD requests.

    Files of a base that is a folder are used in place.

    Raises:
        SourceError: a file does not exist, or the base does not answer.
        SettingsError: the base is an unknown kind of address.
    """
    source = opus.local_folder(site.opus)
    if source is not None:
        paths = [opus.in_place(source, name) for name in release.files]
        return [
            FileSize(name, path.stat().st_size, True)
            for name, path in zip(release.files, paths, strict=True)
        ]
    with Session(site, opus.requested(release), _logger) as session:
        return [
            _kept(release, name, site.opus_folder)
            or FileSize(name, session.head(opus.address(site.opus, name)).size, False)
            for name in release.files
        ]


def catalogued(
    release: Release, folder: Path, catalogue_bytes: Mapping[str, int]
) -> list[FileSize]:
    """Return the same without network; sizes of missing files are those of the catalogue, `catalogue_bytes`."""
    return [
        _kept(release, name, folder) or FileSize(name, catalogue_bytes.get(name), False, True)
        for name in release.files
    ]


def _kept(release: Release, name: str, folder: Path) -> FileSize | None:
    path = opus.downloaded(release, name, folder)
    return (
        FileSize(name, atomic.read_manifest(path).get("whole", path.stat().st_size), True)
        if path
        else None
    )


def count_links(archives: Archives) -> int | None:
    """Return the number of links of a release on this machine.

    They are elements of its link file, or lines of its zip. None for a large file, which would take long, and
    for a damaged one, which a build names.
    """
    path, *_ = archives.paths.values()
    try:
        if path.stat().st_size > _COUNTABLE:
            return None
        if archives.release.form == "moses":
            return _lines(archives)
        with gzip.open(path) as file:
            return _links(iter(lambda: file.read(_BLOCK), b""))
    except DAMAGES:
        return None


def _links(blocks: Iterable[bytes]) -> int:
    """Return the number of elements `link`; one may begin in a block and go on in the next."""
    number = 0
    rest = b""
    for block in blocks:
        text = rest + block
        complete, bracket, rest = text.rpartition(b"<")
        number += len(_LINK.findall(complete))
        rest = bracket + rest
    return number + len(_LINK.findall(rest))


def _lines(archives: Archives) -> int | None:
    """Return the number of lines in the text of one language of a Moses zip, None without such a text."""
    with opened(archives.lines) as archive:
        for info in members(archive):
            if info.filename.endswith(f".{archives.release.a}"):
                with archive.open(info) as member:
                    return sum(1 for _ in member)
    return None


def check_exists(release: Release, site: Site) -> None:
    """Raise SettingsError if a release does not exist.

    The server is asked about what the catalogue does not have, unless OPUS itself has a corpus of nearly the same name:
    that is a slip.
    """
    doubts = _doubts(release, site)
    if doubts is None:
        return
    is_of_opus = site.opus == Site.model_fields["opus"].default
    if doubts and is_of_opus and is_slip(database(site), release.corpus):
        raise SettingsError(doubts)
    try:
        sizes(release, site.model_copy(update={"timeout": min(site.timeout, PATIENCE)}))
    except (AbsentError, TransientError) as error:  # says no more than the catalogue does
        raise SettingsError(doubts or str(error)) from error
    except SourceError as error:
        raise SettingsError(f"{doubts} {error}".strip()) from error


def _doubts(release: Release, site: Site) -> str | None:
    """Return what the catalogue says of a release that it does not have; None if it is known, "" without catalogue."""
    if opus.local_folder(site.opus) is not None:
        return ""
    if all(opus.downloaded(release, name, site.opus_folder) for name in release.files):
        return None
    if release.a == release.b:
        return doubt_documents(database(site), release.corpus, release.version, release.a) or None
    wanted = (release.corpus, release.version, release.languages)
    return None if lookup(database(site), *wanted) else doubt(database(site), *wanted)
