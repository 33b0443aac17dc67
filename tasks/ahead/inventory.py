"""Finished shards of a build: how many of each corpus and stage exist with given settings."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
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
from bitext_pivot.tasks import extract, pairs
from bitext_pivot.tasks.run.models import Model, Processing
from bitext_pivot.tasks.run.targets import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusShards:
    """The shards of one corpus that a build needs, there or not."""

    name: str
    index: Target | None
    """Target of the index of its alignments; None if its files are not all on this machine."""
    alignments: Sequence[Path] | None
    """Its shards of alignments; None unless it is extracted."""
    later: Mapping[str, Sequence[Target]]
    """The targets of later stages, one per shard of alignments, or one as an example unless it is extracted.
    Stages that are named after a model are left out as long as this model is missing."""
    missing: Mapping[str, Sequence[Target]]
    """Those of the later targets that are not there."""


def inventory(
    corpora: Sequence[tuple[str, AnyArchives | None]],
    bitext: Bitext,
    processing: Processing,
    site: Site,
) -> list[CorpusShards]:
    """Return the shards of each corpus; `corpora` has its name and its files, None if they are not all here.

    The signatures of models enter the targets.
    """
    found = []
    for name, source in corpora:
        if source is None:
            found.append(_unknown(name))
            continue
        index = extract.out(source, bitext, site)
        paths = None
        examples = _examples(index.path)
        if indexed.is_complete(index.path):
            paths = examples = indexed.paths(index.path)
        later = _later(examples, bitext, processing, site)
        missing = {stage: _not_there(targets) for stage, targets in later.items()}
        found.append(
            CorpusShards(name=name, index=index, alignments=paths, later=later, missing=missing)
        )
    return found


def _unknown(name: str) -> CorpusShards:
    """Return a corpus of which no shard is known."""
    return CorpusShards(name=name, index=None, alignments=None, later={}, missing={})


def _not_there(targets: Sequence[Target]) -> list[Target]:
    return [target for target in targets if shards.find(target.path) is None]


def _examples(index: Path) -> list[Path]:
    """Return a path in place of the shards of a corpus that is not extracted; none where nothing is built."""
    if index.parent.parent.is_dir():
        return [index]
    return []


def built(corpora: Sequence[CorpusShards], bitext: Bitext, site: Site) -> Table:
    """Return how many shards of each stage exist with these settings, one row per corpus."""
    rows = []
    for corpus in corpora:
        cells = _begun(corpus.index) if corpus.alignments is None else _counts(corpus)
        rows.append((corpus.name, *cells))
    return Table(
        title="Built already, with these settings",
        head=("corpus", *pairs.NAMES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        f"missing. Shards there, of builds with any settings: {_any(bitext, site)}.",
    )


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


def _begun(index: Target | None) -> Sequence[str]:
    """Return the row of a corpus that is not extracted: the number of its other shards is not known yet."""
    number = len(indexed.begun(index.path)) if index else 0
    return (f"{number}, not finished" if number else "not yet", *["-"] * len(pairs.NAMES[1:]))


def _counts(corpus: CorpusShards) -> Sequence[str]:
    """Return `3` or `2 of 3` for each stage, `-` where a corpus has no shard."""
    total = len(corpus.alignments or ())
    counts = [f"{total}"]
    for stage in corpus.later:
        counts.append(f"{total - len(corpus.missing[stage])} of {total}")
    return [*counts, *["-"] * (len(pairs.NAMES) - len(counts))]


def _later(
    alignments: Sequence[Path], bitext: Bitext, processing: Processing, site: Site
) -> dict[str, list[Target]]:
    """Return the targets of each later stage; none with a model that cannot work (`check_offline`)."""
    try:
        return dict(_later_targets(alignments, bitext, processing, site))
    except BuildError:
        return {}


def _later_targets(
    paths: Sequence[Path], bitext: Bitext, processing: Processing, site: Site
) -> Iterator[tuple[str, list[Target]]]:
    """Yield the name and the targets of each later stage for shards of alignments.

    Those that are named after models only if these are here.
    """
    missing = {model.stage for model in processing.models if not _is_local(model)}
    if not paths or missing & {"translate", *processing.filters.screening()}:
        return
    processing = processing.calibrated(processing.engine(site).signature)
    if len(processing.filters.last) > 1 and not missing:  # what one reads depends on another's cut
        processing = processing.measured(site)
    for stage in islice(pairs.from_bitext(bitext, processing, site), 1, None):
        if stage.name == "judge" and any(shards.find(path) for path in paths):
            # else the cuts may not be measured yet
            stage = pairs.stages(processing.measured(site), site)["judge"]()
        targets = [stage.target(path) for path in paths]
        yield stage.name, targets
        if stage.name == "parse" and missing:
            return  # before the signatures of models are asked for
        paths = [target.path for target in targets]


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
    found = [f"{number} {stage}" for stage, number in counts.items() if number]
    return ", ".join(found) or "nothing"
