"""Finished shards of a build: how many of each corpus and stage exist with given settings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from alignments import sources
from alignments.bitext import Bitext
from alignments.sources import Source
from filters.base import Runtime
from filters.chain import FilterChain
from pairs.labelling.categories import LABELS
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.tables import Table
from tasks.calibrate import calibrated
from tasks.extract import folder_of
from tasks.models import Processing
from tasks.parse import pipeline_for
from tasks.stages import shard_path
from tasks.translate import engine_for, pairs_path

_STAGES = ("extract", "translate", "parse", "score", "judge")


def built(corpora: Sequence[tuple[str, Source | None]], bitext: Bitext, processing: Processing, site: Site) -> Table:
    """Return how many shards of each stage exist with these settings, one row per corpus.

    `corpora` has each corpus' name and its files, None if they are not all on this machine: then no shard of it is
    known. The models are loaded for their signatures. Raises SettingsError if one of them cannot be loaded.
    """
    finished = [_alignments(source, bitext, site) for _, source in corpora]
    filters = _judging(finished, bitext, processing, site) if any(finished) else None
    rows = [
        (
            name,
            *(_counts(paths, bitext, processing, site, filters) if paths is not None else _begun(source, bitext, site)),
        )
        for (name, source), paths in zip(corpora, finished, strict=True)
    ]
    return Table(
        title="Built already, with these settings",
        head=("corpus", *_STAGES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        f"missing. There already, of any settings: {_any(bitext, site)}.",
    )


def _alignments(source: Source | None, bitext: Bitext, site: Site) -> list[Path] | None:
    """Return the shards of alignments of a corpus, None until all of them are written."""
    folder = folder_of(source, bitext, site) if source else None
    index = atomic.find_json(folder / f"{sources.stem(source)}.json") if source and folder else None
    return [folder / name for name in index["shards"]] if folder and index else None


def _judging(
    finished: Sequence[list[Path] | None], bitext: Bitext, processing: Processing, site: Site
) -> FilterChain | None:
    """Return the filters with the build's minimum confidence, None as long as that waits for texts to be translated."""
    engine = engine_for(processing.translation, bitext.pivot, bitext.language, site)

    def pairs() -> list[Path]:
        paths = [pairs_path(shard, bitext.language, engine) for shard_paths in finished for shard in shard_paths or ()]
        if not all(finished) or not all(shards.find(path) for path in paths):
            raise LookupError
        return paths

    with suppress(LookupError):
        return calibrated(processing.filters, processing.translation, engine.signature, pairs)[0]
    return None


def _begun(source: Source | None, bitext: Bitext, site: Site) -> Sequence[str]:
    """Return the row of a corpus that is not extracted: the number of its other shards is not known yet."""
    unknown = ("-",) * len(_STAGES[1:])
    if source is None or not (folder := folder_of(source, bitext, site)).is_dir():
        return ("not yet", *unknown)
    begun = len(list(folder.glob(f"{sources.stem(source)}-[0-9][0-9][0-9][0-9][0-9].parquet")))
    return (f"{begun}, not finished", *unknown)


def _counts(
    alignments: Sequence[Path], bitext: Bitext, processing: Processing, site: Site, judging: FilterChain | None
) -> Sequence[str]:
    """Return `3` or `2 of 3` for each stage, `-` where the names of shards are not known yet."""
    later = [list(_later_shards(shard, bitext, processing, site, judging)) for shard in alignments]
    finished = [sum(shards.find(path) is not None for path in stage) for stage in zip(*later, strict=True)]
    counts = [f"{len(alignments)}", *(f"{number} of {len(alignments)}" for number in finished)]
    return [*counts, *["-"] * (len(_STAGES) - len(counts))]


def _later_shards(
    shard: Path, bitext: Bitext, processing: Processing, site: Site, judging: FilterChain | None
) -> Iterator[Path]:
    """Yield the paths that the later stages write for a shard of alignments, judged ones if the filters are known."""
    engine = engine_for(processing.translation, bitext.pivot, bitext.language, site)
    pipeline = pipeline_for(processing.parser, bitext.language, site)
    filters = processing.filters
    yield (pairs := pairs_path(shard, bitext.language, engine))
    yield (parsed := shard_path(pairs, "parsed", pipeline.signature))
    yield (scored := shard_path(parsed, "scored", filters.scoring_key(), filters.signature(Runtime.of(site))))
    if judging is not None:
        yield shard_path(scored, "judged", judging, LABELS)


def _any(bitext: Bitext, site: Site) -> str:
    """Return the number of shards of each stage, whatever settings they were built with."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    return ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
