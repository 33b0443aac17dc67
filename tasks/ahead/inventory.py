"""Finished shards of a build: how many of each corpus and stage exist with given settings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rich.filesize import decimal

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.own import OwnArchives
from bitext_pivot.alignments.sources import AnyArchives
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, indexed, shards
from bitext_pivot.core.tables import Table
from bitext_pivot.filters.base import Runtime
from bitext_pivot.tasks import extract, judge, parse, score, translate
from bitext_pivot.tasks.run.models import Model, Processing, calibrated, engine_for

_STAGES = ("extract", "translate", "parse", "score", "judge")


def built(
    corpora: Sequence[tuple[str, AnyArchives | None]],
    bitext: Bitext,
    processing: Processing,
    site: Site,
) -> Table:
    """Return how many shards of each stage exist with these settings, one row per corpus.

    `corpora` has each corpus' name and its files, None if they are not all on this machine: then no shard of it is
    known. The models are loaded for their signatures.
    """
    indexes = [extract.out(source, bitext, site) if source else None for _, source in corpora]
    extracted = [
        indexed.paths(index) if index and indexed.is_complete(index) else None for index in indexes
    ]
    rows = [
        (name, *(_begun(index) if paths is None else _counts(paths, bitext, processing, site)))
        for (name, _), index, paths in zip(corpora, indexes, extracted, strict=True)
    ]
    return Table(
        title="Built already, with these settings",
        head=("corpus", *_STAGES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        f"missing. There already, of any settings: {_any(bitext, site)}.",
    )


class Extracted(NamedTuple):
    """Numbers of a corpus whose alignments are here."""

    links: int
    alignments: int
    shards: int


def extracted(source: AnyArchives, bitext: Bitext, site: Site) -> Extracted | None:
    """Return the numbers of links and alignments of a corpus, None unless they are extracted with these settings."""
    index = extract.out(source, bitext, site)
    if not indexed.is_complete(index):
        return None
    manifests = [atomic.read_manifest(path) for path in indexed.paths(index)]
    counts = sum((Counts.read(facts["counts"]) for facts in manifests), Counts())
    name = f"{source.release.corpus}/{source.release.release}"
    links = counts.below("links", name, "shapes").total()
    return Extracted(links, sum(facts["rows"] for facts in manifests), len(manifests))


def own_table(corpora: Sequence[OwnArchives]) -> Table:
    """Return the corpora of the user with their files."""
    rows = []
    for archives in corpora:
        paths = [
            file
            for path in archives.paths
            for file in (path.rglob("*") if path.is_dir() else [path])
        ]
        files = [path.stat().st_size for path in paths if path.is_file()]
        rows.append(
            (
                archives.own.full_name,
                archives.own.kind,
                f"{len(files):,}",
                decimal(sum(files)),
                archives.licence,
            )
        )
    return Table(title="Your own", head=("corpus", "kind", "files", "size", "licence"), rows=rows)


def _begun(index: Path | None) -> Sequence[str]:
    """Return the row of a corpus that is not extracted: the number of its other shards is not known yet."""
    number = len(indexed.begun(index)) if index else 0
    return (f"{number}, not finished" if number else "not yet", *["-"] * len(_STAGES[1:]))


def _counts(
    alignments: Sequence[Path], bitext: Bitext, processing: Processing, site: Site
) -> Sequence[str]:
    """Return `3` or `2 of 3` for each stage, `-` where a corpus has no shard."""
    try:
        later = [list(_later_shards(shard, bitext, processing, site)) for shard in alignments]
    except BuildError:  # a model that cannot work, which check_offline names
        later = []
    finished = [
        sum(shards.find(path) is not None for path in stage) for stage in zip(*later, strict=True)
    ]
    counts = [f"{len(alignments)}", *(f"{number} of {len(alignments)}" for number in finished)]
    return [*counts, *["-"] * (len(_STAGES) - len(counts))]


def _later_shards(
    shard: Path, bitext: Bitext, processing: Processing, site: Site
) -> Iterator[Path]:
    """Yield the paths that the later stages write for a shard of alignments.

    Those that are named after models only if these are here.
    """
    missing = {model.stage for model in processing.models if not _is_local(model)}
    if missing & {"translate", *processing.filters.screening()}:
        return
    engine = engine_for(processing.translation, bitext.pivot, bitext.language, site)
    filters = calibrated(processing, engine.signature)[0].filters
    yield (pairs := translate.out(shard, processing, site))
    yield (parsed := parse.out(pairs, bitext.language, processing.parser, site))
    if missing:
        return
    yield (scored := score.out(parsed, filters, bitext.language, Runtime.of(site)))
    if (
        shards.find(scored) is not None
    ):  # else the cuts may not be measured yet, and nothing is judged
        filters = filters.with_cuts(bitext.language, Runtime.of(site))
    yield judge.out(scored, filters)


def _is_local(model: Model) -> bool:
    """Return True if a model would not have to be downloaded."""
    with suppress(BuildError):
        return not model.preview.missing
    return False


def _any(bitext: Bitext, site: Site) -> str:
    """Return the number of shards of each stage, whatever settings they were built with."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    return ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
