"""Plan: what a build would do, without downloading or building anything."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rich.filesize import decimal

from bitext_pivot.alignments import fixes, opus
from bitext_pivot.alignments.availability import missing_files
from bitext_pivot.alignments.catalogue.entries import CatalogueEntry, find_entry
from bitext_pivot.alignments.catalogue.opusdata import open_catalogue
from bitext_pivot.alignments.custom_bitext import CustomBitextRequest, locate_files
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.progress import duration
from bitext_pivot.core.settings import local_files
from bitext_pivot.core.site import Site
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead import inventory
from bitext_pivot.tasks.ahead.inventory import NOT_THERE, THERE, UNKNOWN
from bitext_pivot.tasks.run import loaded_models
from bitext_pivot.tasks.run.forms import PairForm
from bitext_pivot.tasks.run.loaded_models import Processing

_SECONDS = 0.29
"""CPU seconds that a build needs per alignment, computed from the rates of its stages (docs/scaling.md,
benchmarks/results/scaling.md): with a model of opus-mt's size in int8, a beam of 4, and the preset `strict` with a
model, on an AMD EPYC without AVX-512."""
_BUSY = 0.85  # share of two cores that a build keeps busy
_BYTES = 6_000
"""Bytes on disk per alignment, for the shards of all stages, stored translations and the data set; measured on 8,197
alignments of Europarl v7 fr-en."""
_LARGE = 10_000_000_000
"""Bytes of a download above which the plan suggests the Moses format of the corpus."""
_NOTHING = [NOT_THERE] * (len(pairs.NAMES) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Corpus:
    """The size of a corpus, and how much of a build with this corpus is already finished."""

    name: str
    bytes: int | None
    """Maximum size of the missing files, according to the catalogue. 0 if none is missing, None if it is unknown."""
    moses_bytes: int | None
    """Size of the corpus in Moses format, according to the catalogue. None if there is no such file, or if this format
    is requested."""
    alignments: int | None
    """Number of alignments: exact if they are extracted, otherwise expected. None if it is unknown."""
    is_counted: bool
    """Whether the number of alignments is exact, or computed with a share that was counted for this corpus."""
    is_here: bool
    """Whether all files of the corpus are on this machine."""
    later: Sequence[str] | None
    """How many shards of each stage after `extract` exist (see `inventory.stages`). None if the alignments are not
    extracted."""

    @property
    def is_built(self) -> bool:
        """Whether all pairs of the corpus are judged, that is, whether the last stage is finished."""
        return self.later is not None and self.later[-1] == THERE

    @property
    def row(self) -> Sequence[str]:
        """The corpus's row in the plan.

        A cell is `there` if nothing is to be done, otherwise a size or a number.
        """
        fetch = extract = THERE
        if not self.is_here:
            fetch = UNKNOWN if self.bytes is None else decimal(self.bytes)
        if self.later is None:
            extract = UNKNOWN if self.alignments is None else f"about {self.alignments:,}"
        return (self.name, fetch, extract, *(self.later or _NOTHING))


def plan(form: PairForm, site: Site, *, time: str = "") -> Page:
    """Return the plan of a build: downloads, alignments, duration and what already exists.

    The sizes of corpora come from the catalogue, and the sizes of missing models from the Hugging Face hub. `time` is
    the duration that a trial measured; without a trial, it is estimated.
    """
    form = form.pinned(site)
    processing = form.processing(site.device)
    corpora = [_corpus(source, form, processing, site) for source in form.sources()]
    is_finished = inventory.finished_before(form, site) is not None
    data_set = ("data set", *[""] * len(pairs.NAMES), THERE if is_finished else NOT_THERE)
    stages = Table(
        title="Finished and remaining stages",
        head=("corpus", "fetch", *pairs.NAMES),
        rows=[*(corpus.row for corpus in corpora), data_set],
        note=" ".join(_notes(corpora, form, has_trial=bool(time))),
    )
    tables = [stages, loaded_models.model_table(processing)]
    if paths := local_files(form):
        tables.append(
            Table(title="Files of this machine", head=("file",), rows=[(path,) for path in paths])
        )
    summary = "nothing is to be done" if is_finished else "; ".join(_summary(corpora, time))
    return Page(title=form.title, summary=summary, tables=tables)


def _corpus(
    requested: Release | CustomBitextRequest, form: PairForm, processing: Processing, site: Site
) -> _Corpus:
    source = _find(requested, site)
    shards = inventory.extracted(source, form, site) if source else None
    name = requested.full_name if isinstance(requested, Release) else requested.own.full_name
    entry = _entry(requested, site)
    size = 0 if source else _bytes(requested, entry, site)
    number = entry.links if entry else None
    if number is not None:
        links = min(number, form.extraction.max_links or number)
        number = round(links * fixes.candidate_share(requested.corpus))
    if shards is not None:
        number = inventory.count_alignments(shards)
    return _Corpus(
        name=name,
        bytes=size,
        moses_bytes=_moses_bytes(requested, entry),
        alignments=number,
        is_counted=shards is not None or fixes.is_share_counted(requested.corpus),
        is_here=source is not None,
        later=None if shards is None else inventory.stages(shards, processing, site),
    )


def _find(requested: Release | CustomBitextRequest, site: Site) -> SourceFiles | None:
    """Return the files of a source, or None if a file is missing or wrong."""
    with suppress(SettingsError, SourceError):
        if isinstance(requested, Release):
            return opus.find(requested, site)
        return locate_files(requested)
    return None


def _entry(requested: Release | CustomBitextRequest, site: Site) -> CatalogueEntry | None:
    """Return the catalogue's entry for a release. It is None for a mirror in a local folder."""
    if not isinstance(requested, Release) or opus.local_folder(site.opus) is not None:
        return None
    return find_entry(
        open_catalogue(site), requested.corpus, requested.version, requested.languages
    )


def _bytes(
    requested: Release | CustomBitextRequest, entry: CatalogueEntry | None, site: Site
) -> int | None:
    """Return the size in bytes of the missing files of a release, or None if it is unknown."""
    if entry is None or not isinstance(requested, Release):
        return None
    sizes = [entry.files.get(name) for name in missing_files(requested, site)]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _moses_bytes(
    requested: Release | CustomBitextRequest, entry: CatalogueEntry | None
) -> int | None:
    """Return the size in bytes of a corpus in Moses format.

    Returns None if there is no such file, or if this format is requested.
    """
    if entry is None or not isinstance(requested, Release) or requested.form == "moses":
        return None
    return entry.sizes.get("moses")


def _summary(corpora: Sequence[_Corpus], time: str) -> Iterator[str]:
    """Yield the parts of the summary: size of downloads, alignments, time and disk space."""
    size = sum(corpus.bytes or 0 for corpus in corpora)
    fetched = f"at most {decimal(size)}" if size else "nothing"
    yield f"fetch: {_besides(fetched, [each.name for each in corpora if each.bytes is None])}"
    unknown = [corpus.name for corpus in corpora if corpus.alignments is None]
    number = sum(corpus.alignments or 0 for corpus in corpora)
    about = "about " if any(corpus.later is None for corpus in corpora) else ""
    yield f"alignments: {_besides(f'{about}{number:,}', unknown)}"
    rest = sum(corpus.alignments or 0 for corpus in corpora if not corpus.is_built)
    if rest:
        cores = os.cpu_count() or 1
        seconds = rest * _SECONDS / (_BUSY * cores)
        yield f"time: {time or f'about {duration(seconds)} on {cores} cores'}"
        yield f"disk: about {decimal(size + rest * _BYTES)}"


def _besides(known: str, unknown: Sequence[str]) -> str:
    """Return the text `known`, with the names of corpora for which the value is unknown."""
    if not unknown:
        return known
    known = "" if known in {"nothing", "0", "about 0"} else f"{known}, and "
    return f"{known}{UNKNOWN} for {', '.join(unknown)}"


def _notes(corpora: Sequence[_Corpus], form: PairForm, *, has_trial: bool) -> Iterator[str]:
    """Yield sentences that explain the table of the plan."""
    if any(corpus.alignments is None for corpus in corpora):
        yield (
            "The catalogue does not have what is unknown: a build counts it, and so does `plan --trial 200`."
        )
    for corpus in corpora:
        if corpus.moses_bytes is not None and (corpus.bytes or 0) > _LARGE:
            yield (
                f"{corpus.name} has nearly the same links in Moses format: `{corpus.name}:moses` downloads "
                f"{decimal(corpus.moses_bytes)} instead of {decimal(corpus.bytes or 0)}."
            )
    guessed = [each.name for each in corpora if not each.is_counted and each.alignments is not None]
    if guessed:
        yield (
            f"Estimated: the share of alignments among the links was not counted for {', '.join(guessed)}."
        )
    yield (
        f"Sizes are upper bounds. The column `extract` counts alignments; a shard has about {form.shard_rows:,}."
    )
    if not has_trial:
        yield "Time is that of a model of opus-mt's size without a GPU."
    yield "A build reuses all finished stages."
