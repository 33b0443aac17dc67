"""Finished shards of a build: how many of each corpus and stage exist with given settings."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from alignments import sources
from alignments.bitext import Bitext
from alignments.sources import Source
from filters.base import Runtime
from pairs.labelling.categories import LABELS
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.tables import Table
from tasks.extract import folder_of
from tasks.models import Recipe
from tasks.parse import pipeline_for
from tasks.stages import shard_path
from tasks.translate import engine_for

_STAGES = ("extract", "translate", "parse", "score", "judge")


def built(corpora: Sequence[tuple[str, Source | None]], bitext: Bitext, recipe: Recipe, site: Site) -> Table:
    """Return how many shards of each stage exist with these settings, one row per corpus.

    `corpora` has each corpus' name and its files, None if they are not all on this machine: then no shard of it is
    known. The models are loaded for their signatures. Raises SettingsError if one of them cannot be loaded.
    """
    rows = [(name, *_counts(source, bitext, recipe, site)) for name, source in corpora]
    return Table(
        title="Built already, with these settings",
        head=("corpus", *_STAGES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        f"missing. There already, of any settings: {_any(bitext, site)}.",
    )


def _counts(source: Source | None, bitext: Bitext, recipe: Recipe, site: Site) -> Sequence[str]:
    """Return `3` or `2 of 3` for each stage, `-` where the number of shards is not known yet."""
    unknown = ("-",) * len(_STAGES[1:])
    if source is None or not (folder := folder_of(source, bitext, site)).is_dir():
        return ("not yet", *unknown)
    stem = sources.stem(source)
    index = atomic.find_json(folder / f"{stem}.json")
    if index is None:
        begun = len(list(folder.glob(f"{stem}-[0-9][0-9][0-9][0-9][0-9].parquet")))
        return (f"{begun}, not finished", *unknown)
    total = len(index["shards"])
    later = [_later_shards(folder / name, bitext, recipe, site) for name in index["shards"]]
    finished = [sum(shards.find(path) is not None for path in stage) for stage in zip(*later, strict=True)]
    return (f"{total}", *(f"{number} of {total}" for number in finished))


def _later_shards(shard: Path, bitext: Bitext, recipe: Recipe, site: Site) -> Iterator[Path]:
    """Yield the paths that the four later stages write for a shard of alignments."""
    engine = engine_for(recipe.translation, bitext.pivot, bitext.language, site)
    pipeline = pipeline_for(recipe.parser, bitext.language, site)
    filters = recipe.filters
    yield (pairs := shard_path(shard, "pairs", bitext.language, engine.signature))
    yield (parsed := shard_path(pairs, "parsed", pipeline.signature))
    yield (scored := shard_path(parsed, "scored", filters.scoring_key(), filters.signature(Runtime.of(site))))
    yield shard_path(scored, "judged", filters, LABELS)


def _any(bitext: Bitext, site: Site) -> str:
    """Return the number of shards of each stage, whatever settings they were built with."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    return ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
