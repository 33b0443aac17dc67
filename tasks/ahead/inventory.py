"""Finished shards of a build: how many of each corpus and stage exist with given settings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rich.filesize import decimal

from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.custom_bitext import OwnArchives
from bitext_pivot.alignments.sources import AnyArchives
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, indexed, shards
from bitext_pivot.core.tables import Table
from bitext_pivot.tasks import extract, pairs
from bitext_pivot.tasks.run.models import Model, Processing


def built(
    corpora: Sequence[tuple[str, AnyArchives | None]],
    bitext: Bitext,
    processing: Processing,
    site: Site,
) -> Table:
    """Return how many shards of each stage exist with these settings, one row per corpus.

    `corpora` has its name and its files, None if they are not all here.
    """
    rows = []
    for name, source in corpora:
        cells = _cells(source, bitext, processing, site) if source else ["not yet"]
        missing = len(pairs.NAMES) - len(cells)
        rows.append((name, *cells, *["-"] * missing))
    return Table(
        title="Built already, with these settings",
        head=("corpus", *pairs.NAMES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        "missing.",
    )


def _cells(source: AnyArchives, bitext: Bitext, processing: Processing, site: Site) -> list[str]:
    """Return `3` or `2 of 3` for the first stages of a corpus: those whose models are here.

    The number of later shards is not known of a corpus that is not extracted.
    """
    index = extract.out(source, bitext, site).path
    if not indexed.is_complete(index):
        begun = len(indexed.begun(index))
        return [f"{begun}, not finished" if begun else "not yet"]
    paths = indexed.paths(index)
    try:
        finished = list(_finished(paths, bitext, processing, site))
    except BuildError:  # a model that cannot work (`check_offline`)
        finished = []
    return [f"{len(paths)}", *(f"{number} of {len(paths)}" for number in finished)]


class Extracted(NamedTuple):
    """Numbers of a corpus whose alignments are here."""

    links: int
    alignments: int
    shards: int


def extracted(source: AnyArchives, bitext: Bitext, site: Site) -> Extracted | None:
    """Return the numbers of links and alignments of a corpus, None unless they are extracted with these settings."""
    index = extract.out(source, bitext, site).path
    if not indexed.is_complete(index):
        return None
    manifests = [atomic.read_manifest(path) for path in indexed.paths(index)]
    counts = sum((Counts.read(facts["counts"]) for facts in manifests), Counts())
    name = source.release.full_name
    links = counts.below("links", name, "shapes").total()
    return Extracted(links, sum(facts["rows"] for facts in manifests), len(manifests))


def own_table(corpora: Sequence[OwnArchives]) -> Table:
    """Return the corpora of the user with their files."""
    rows = []
    for archives in corpora:
        files = [path.stat().st_size for path in archives.paths]
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


def _finished(
    paths: Sequence[Path], bitext: Bitext, processing: Processing, site: Site
) -> Iterator[int]:
    """Yield how many shards of each later stage are there, for shards of alignments.

    Those of stages that are named after models only if these are here.
    """
    missing = {model.stage for model in processing.models if not _is_local(model)}
    if not paths or "translate" in missing:
        return
    processing = processing.calibrated(processing.engine(site).signature)
    if len(processing.filters.last) > 1 and not missing:  # what one reads depends on another's cut
        processing = processing.measured(site)
    for stage in islice(pairs.from_bitext(bitext, processing, site), 1, None):
        if stage.name == "judge" and any(shards.find(path) for path in paths):
            # else the cuts may not be measured yet
            stage = pairs.stages(processing.measured(site), site)["judge"]()
        paths = [stage.target(path).path for path in paths]
        yield sum(shards.find(path) is not None for path in paths)
        if stage.name == "parse" and missing:
            return  # before the signatures of models are asked for


def _is_local(model: Model) -> bool:
    """Return True if a model would not have to be downloaded."""
    with suppress(BuildError):
        return not model.preview.missing
    return False
