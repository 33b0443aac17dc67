"""Plan: what a build would do, without downloading or building anything."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.filesize import decimal

from bitext_pivot.alignments import fixes, opus
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.catalogue.entries import CatalogueEntry, doubt, lookup
from bitext_pivot.alignments.catalogue.listing import size
from bitext_pivot.alignments.catalogue.opusdata import database
from bitext_pivot.alignments.custom_bitext import AnyOwn, OwnArchives, RequestedBitext, resolve
from bitext_pivot.alignments.release import Archives, Release
from bitext_pivot.alignments.sizes import PATIENCE, FileSize, catalogued, count_links, sizes
from bitext_pivot.alignments.sources import AnyArchives, identities
from bitext_pivot.core.errors import AbsentError, SettingsError, SourceError
from bitext_pivot.core.settings import local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.rebuild import Card, merged
from bitext_pivot.tasks.ahead.inventory import (
    Extracted,
    built,
    extracted,
    own_table,
)
from bitext_pivot.tasks.ahead.refusals import files, versions
from bitext_pivot.tasks.run import models, table
from bitext_pivot.tasks.run.forms import PairForm

_BYTES_PER_ALIGNMENT = (
    6_000  # all stages, the store and the export; measured on 8,197 alignments of Europarl v7 fr-en
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReleaseInfo:
    """Facts about one release before it is fetched."""

    release: Release
    files: Sequence[FileSize]
    doubt: str
    """Why nothing is known of it: neither catalogue nor server have it, or each has another one; "" otherwise."""
    links: int | None
    """Number of links that would be read, at most `max_links`."""
    extracted: Extracted | None
    """Numbers of what is extracted, if it is."""
    is_absent: bool
    """True if the server, or the folder in its place, does not have it."""

    @property
    def candidates(self) -> int:
        """Number of alignments to translate: expected 1-2 and 2-1 links, if they are not extracted."""
        if self.extracted:
            return self.extracted.alignments
        return round((self.links or 0) * fixes.candidates(self.release.corpus))

    def shards(self, rows: int) -> int:
        """Return the number of shards of a stage, of `rows` alignments each."""
        return (
            self.extracted.shards if self.extracted else max(1, math.ceil(self.candidates / rows))
        )


def plan(bitext: PairForm, site: Site, show: Callable[[Page], object]) -> None:
    """Show what to expect of a build, which parts of it exist, the files it fetches, and its models.

    Sizes are those the server announces, or the catalogue's if it does not answer; the table says which. Raises
    AbsentError after that when the server does not have a corpus; `check_offline` names what else is missing.
    """
    bitext = bitext.pinned(site)
    processing = bitext.processing(site.device)
    releases = list(_releases(bitext, site))
    own_archives = {own.full_name: _resolved(own, bitext) for own in bitext.own}
    corpora: list[tuple[str, AnyArchives | None]] = [
        *((info.release.full_name, _find(info.release, site)) for info in releases),
        *own_archives.items(),
    ]
    expected = _expected(releases, bitext.shard_rows)
    tables = [
        expected,
        built(corpora, bitext, processing, site),
        *map(_files, releases),
    ]
    if own_here := [archives for archives in own_archives.values() if archives]:
        tables.append(own_table(own_here))
    if paths := local_files(bitext):
        tables.append(
            Table(title="Files of this machine", head=("file",), rows=[(path,) for path in paths])
        )
    summary = "; ".join(
        f"{what}: {number}" for what, number in expected.rows if number != "unknown"
    )
    show(Page(title=bitext.title, summary=summary, tables=[*tables, models.table(processing)]))
    if absent := [info.doubt for info in releases if info.is_absent]:
        raise AbsentError("\n".join(absent))


def _resolved(own: AnyOwn, bitext: Bitext) -> OwnArchives | None:
    with suppress(SettingsError, SourceError):  # that check_offline raises, too
        return resolve(RequestedBitext(own, bitext.language, bitext.pivot))
    return None


def _find(release: Release, site: Site) -> Archives | None:
    with suppress(SourceError):  # the files of a folder are missing or damaged
        return opus.find(release, site)
    return None


def check_card(card: Card, settings: PairForm, site: Site) -> None:
    """Refuse what a build from the card would refuse, as far as that is known without a download.

    Compared are versions, what extracts and screens, the files of the form, and each corpus: its checksum if it is
    here, otherwise the sizes that the server announces. Raises SettingsError, one line per difference, and AbsentError
    for a corpus that is gone.
    """
    if not card.address:
        return
    here = {
        "sources": dict(_identities(settings, site)),
        "stages": {"extract": table.extract(settings).facts()},
    }
    recorded = {name: card.signature.get(name, {}) for name in here}
    card.compare(
        {"versions": versions(settings, site), "files": files(settings), **merged(recorded, here)}
    )


def _identities(bitext: Bitext, site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from identities(filter(None, (_resolved(own, bitext) for own in bitext.own))).items()
    for info in _releases(bitext, site):
        if source := _find(info.release, site):
            yield from identities([source]).items()
        else:
            announced = {
                file.name: {"bytes": file.bytes}
                for file in info.files
                if file.bytes and not file.catalogued
            }
            yield info.release.full_name, announced


def _releases(bitext: Bitext, site: Site) -> Iterator[_ReleaseInfo]:
    catalogue = database(site) if opus.local_folder(site.opus) is None else None
    is_answering = True
    for release in bitext.releases():
        wanted = (release.corpus, release.version, release.languages)
        entry = lookup(catalogue, *wanted) if catalogue else None
        doubts = doubt(catalogue, *wanted) if catalogue and not entry else ""
        files, absence = _announced(release, site) if is_answering else (None, "")
        is_answering = bool(files or absence)  # wait only once for a server that does not answer
        source = _find(release, site)
        done = extracted(source, bitext, site) if source else None
        if entry and files and not _is_same(files[0], entry):
            doubts = (
                f"The server's {files[0].name} differs from the file that the catalogue counted, so the catalogue's "
                "numbers are not used."
            )
            entry = None
        elif files:
            doubts = ""  # a corpus that only this server has
        links = _links(done, entry, source)
        yield _ReleaseInfo(
            release=release,
            files=files or catalogued(release, site.opus_folder, entry.files if entry else {}),
            doubt=" ".join(dict.fromkeys(filter(None, [doubts, absence]))),
            extracted=done,
            is_absent=bool(absence),
            links=links if links is None else min(links, bitext.extraction.max_links or links),
        )


def _links(
    done: Extracted | None, entry: CatalogueEntry | None, source: Archives | None
) -> int | None:
    """Return the number of links of a release, None if it is not known."""
    if done:
        return done.links
    if entry:
        return entry.links
    if source:
        return count_links(source)
    return None


def _is_same(file: FileSize, entry: CatalogueEntry) -> bool:
    """Return True if a file has the catalogue's size, which is rounded down to KiB."""
    return file.bytes is None or file.bytes // 1024 == entry.files.get(file.name, 0) // 1024


def _announced(release: Release, site: Site) -> tuple[list[FileSize] | None, str]:
    """Return the sizes that the server announces, None if it does not answer; or the message that one is absent."""
    try:
        return sizes(release, site.model_copy(update={"timeout": min(site.timeout, PATIENCE)})), ""
    except AbsentError as error:
        return None, str(error)
    except SourceError:
        return None, ""


def _files(info: _ReleaseInfo) -> Table:
    rows = [
        (
            file.name,
            ("about " if file.catalogued and file.bytes is not None else "") + size(file.bytes),
            "yes" if file.is_local else "no",
        )
        for file in info.files
    ]
    rows.append(("to be fetched", _download([info]), ""))
    head = ("file", "size", "on this machine")
    return Table(title=info.release.name, head=head, rows=rows, note=info.doubt)


def _expected(releases: Sequence[_ReleaseInfo], shard_rows: int) -> Table:
    """Return how much a build fetches, reads and writes."""
    counted = [info for info in releases if info.links is not None]
    unknown = [info.release.corpus for info in releases if info.links is None]
    about = "" if all(info.extracted for info in counted) else "about "
    besides = f", and those of {', '.join(unknown)}" if counted and unknown else ""
    candidates = sum(info.candidates for info in counted)
    number = sum(info.shards(shard_rows) for info in counted)
    disk = _missing(releases) + candidates * _BYTES_PER_ALIGNMENT

    def expect(text: str, otherwise: str = "unknown") -> str:
        return text + besides if counted else otherwise

    rows = [
        ("download", _download(releases)),
        ("links", expect(f"{sum(info.links or 0 for info in counted):,}")),
        ("alignments to translate", expect(f"{about}{candidates:,}")),
        ("shards of a stage", expect(f"{about}{number:,}")),
        (
            "disk, besides what is here",
            expect(f"about {decimal(disk)}", f"{decimal(disk)} and the shards"),
        ),
    ]
    return Table(title="To expect", head=("altogether", "how much"), rows=rows)


def _download(releases: Sequence[_ReleaseInfo]) -> str:
    files = [file for info in releases for file in info.files if not file.is_local]
    if not files:
        return "nothing"
    unknown = sum(file.bytes is None for file in files)
    more = f" and {unknown} files of unknown size" if unknown else ""
    return f"at most {decimal(_missing(releases))}{more}"


def _missing(releases: Sequence[_ReleaseInfo]) -> int:
    return sum(file.bytes or 0 for info in releases for file in info.files if not file.is_local)
