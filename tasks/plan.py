"""Plan: what a build would do, before a byte moves: it looks and builds nothing."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.filesize import decimal

from alignments import fixes, opus
from alignments.bitext import Bitext
from alignments.catalogue.entries import Entry, doubt, lookup
from alignments.catalogue.listing import size
from alignments.catalogue.opusdata import database
from alignments.release import Release
from alignments.sizes import FileSize, catalogued, sizes
from pairs.errors import AbsentError, SourceError
from pairs.site import Site
from pairs.tables import Page, Table
from tasks import models
from tasks.check import Recipe
from tasks.inventory import brought, built, extracted

_BYTES_AN_ALIGNMENT = 6_000  # all stages, the store and the export; measured on 8,197 alignments of Europarl v7 fr-en
_PATIENCE = 10  # seconds to wait for a server that is only asked for sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What is known of one release before it is fetched."""

    release: Release
    files: Sequence[FileSize]
    doubt: str
    """Why nothing is known of it: neither catalogue nor server have it, or each another one; "" otherwise."""
    links: int | None
    """How many links are read, `max_links` counted in."""

    @property
    def candidates(self) -> int | None:
        """How many of the links are expected to be 1-2 or 2-1."""
        return None if self.links is None else round(self.links * fixes.candidates(self.release.corpus).share)


def plan(bitext: Bitext, recipe: Recipe, site: Site) -> Page:
    """Return what to expect of a build, what of it is there, the files it fetches, and its models.

    Sizes are those the server announces, or the catalogue's where it does not answer; both are told. Raises
    SettingsError for a direction or a language without a default model, AbsentError when the server does not have a
    corpus.
    """
    bitext = bitext.pinned(site)
    looks = list(_looks(bitext, site))
    expected = _expected(looks, bitext.shard_rows)
    tables = [
        expected,
        built(bitext, recipe, site),
        *map(_files, looks),
        *brought(bitext),
        models.table(recipe.translation, recipe.parser, recipe.filters, bitext.pivot, bitext.language),
        *extracted(bitext, site),
    ]
    summary = "; ".join(f"{what}: {number}" for what, number, _ in expected.rows if number != "unknown")
    return Page(title=bitext.title, summary=summary, tables=tables)


def _looks(bitext: Bitext, site: Site) -> Iterator[_Look]:
    known = database(site) if opus.local_folder(site.opus) is None else None
    answers = True
    for release in bitext.releases():
        asked = (release.corpus, release.release, release.languages)
        entry = lookup(known, *asked) if known else None
        doubts = doubt(known, *asked) if known and not entry else ""
        files = _asked(release, site, doubts) if answers else None
        answers = files is not None  # a server that did not answer once is not waited for again
        if entry and files and not _same(files[0], entry):
            doubts = (
                f"The server's {files[0].name} is not the file that the catalogue counted: its numbers are left out."
            )
            entry = None
        elif files:
            doubts = ""  # a corpus that only this server has
        links = entry.links if entry else None
        yield _Look(
            release=release,
            files=files or catalogued(release, site.opus_folder, entry.files if entry else {}),
            doubt=doubts,
            links=links if links is None else min(links, bitext.extraction.max_links or links),
        )


def _same(file: FileSize, entry: Entry) -> bool:
    """Return True if a file has the size that the catalogue has of it, which is rounded down to KiB."""
    return file.bytes is None or file.bytes // 1024 == entry.files.get(file.name, 0) // 1024


def _asked(release: Release, site: Site, doubts: str) -> list[FileSize] | None:
    """Return the sizes that the server announces, None when it does not answer."""
    timeout = min(site.timeout, _PATIENCE)
    try:
        return sizes(release, site.opus, site.opus_folder, timeout=timeout, proxy=site.proxy_address)
    except AbsentError as error:
        raise AbsentError(f"{error} {doubts}".strip()) from error
    except SourceError:
        return None


def _files(look: _Look) -> Table:
    rows = [
        (
            file.name,
            ("about " if file.catalogued and file.bytes is not None else "") + size(file.bytes),
            _yes(file.here),
        )
        for file in look.files
    ]
    rows.append(("to be fetched", _download([look])[0], ""))
    return Table(title=look.release.name, head=("file", "size", "here"), rows=rows, note=look.doubt)


def _expected(looks: Sequence[_Look], shard_rows: int) -> Table:
    """Return how much a build fetches, reads and writes, and what each number rests on."""
    counted = [look for look in looks if look.links is not None]
    unknown = [look.release.corpus for look in looks if look.links is None]
    besides = f", and those of {', '.join(unknown)}" if counted and unknown else ""
    candidates = [look.candidates or 0 for look in counted]
    number = sum(max(1, math.ceil(number / shard_rows)) for number in candidates)
    disk = _missing(looks) + sum(candidates) * _BYTES_AN_ALIGNMENT

    def known(text: str, otherwise: str = "unknown") -> str:
        return text + besides if counted else otherwise

    rows = [
        ("download", *_download(looks)),
        (
            "links",
            known(f"{sum(look.links or 0 for look in counted):,}"),
            "catalogue" if counted else "not known before they are read",
        ),
        ("alignments to translate", known(f"about {sum(candidates):,}"), _grounds(counted)),
        ("shards of a stage", known(f"about {number:,}"), f"{shard_rows:,} each"),
        (
            "disk, besides what is here",
            known(f"about {decimal(disk)}", f"{decimal(disk)} and the shards"),
            f"estimate: the download, which is not unpacked, and {decimal(_BYTES_AN_ALIGNMENT)} an alignment",
        ),
    ]
    return Table(title="To expect", head=("altogether", "how much", "known from"), rows=rows)


def _download(looks: Sequence[_Look]) -> tuple[str, str]:
    files = [file for look in looks for file in look.files if not file.here]
    untold = [file for file in files if file.bytes is None]
    more = f" and {len(untold)} files of unknown size" if untold else ""
    silent = any(file.catalogued for file in files)
    source = "catalogue, because the server does not answer" if silent else "the server"
    if not files:
        return "nothing", "all files are here"
    return (
        f"at most {decimal(_missing(looks))}{more}",
        f"{source}; of big archives only the documents needed, where that pays",
    )


def _grounds(looks: Sequence[_Look]) -> str:
    """Return on what the expected number of alignments rests, a corpus a line."""
    shares = {look.release.corpus: fixes.candidates(look.release.corpus) for look in looks}
    lines = [f"{share:.1%} of the links of {corpus} ({basis})" for corpus, (share, basis) in shares.items()]
    return "estimate: " + "\n".join(lines) if lines else "the links"


def _missing(looks: Sequence[_Look]) -> int:
    return sum(file.bytes or 0 for look in looks for file in look.files if not file.here)


def _yes(here: bool) -> str:
    return "yes" if here else "no"
