"""What a plan finds here: bitext that is brought, shards that are built, statistics of what was read before."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.filesize import decimal

from alignments import opus, sources
from alignments.bitext import Bitext
from alignments.own import Asked, resolve
from alignments.release import Archives, Release
from alignments.sources import Source
from alignments.statistics import Statistics
from filters.base import Runtime
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.tables import Table
from tasks.check import Recipe
from tasks.extract import folder_of
from tasks.parse import pipeline_for
from tasks.stages import shard_path
from tasks.translate import engine_for

_STAGES = ("extract", "translate", "parse", "score", "judge")


def brought(bitext: Bitext) -> Iterator[Table]:
    """Yield a table of the bitext that people bring; raises SettingsError when a file of it is not there."""
    if not bitext.own:
        return
    rows = []
    for own in bitext.own:
        found = resolve(Asked(own, bitext.language, bitext.pivot))
        files = [file for path in found.paths for file in _files(path)]
        size = sum(file.stat().st_size for file in files)
        rows.append((f"{own.name}/{own.release}", own.kind, f"{len(files):,}", decimal(size), own.licence))
    yield Table(title="Your own", head=("corpus", "kind", "files", "size", "licence"), rows=rows)


def extracted(bitext: Bitext, site: Site) -> Iterator[Table]:
    """Yield for each corpus that was extracted before, with whatever settings, what the latest such run counted."""
    for name in [*bitext.corpora, *(f"{own.name}/{own.release}" for own in bitext.own)]:
        stem = name.replace("/", "-").replace(":", "-").removesuffix("-raw")
        found = sorted(site.build_folder(bitext.folder).glob(f"alignments-????????/{stem}.json"), key=_written)
        if found:
            yield _statistics(name, Statistics.read(atomic.load_json(found[-1])["statistics"]))


def built(bitext: Bitext, recipe: Recipe, site: Site) -> Table:
    """Return how many shards of every stage are built with these settings, a corpus a row.

    Which those are is known only of a corpus whose files are here; then its models are here as well, and are loaded to
    ask for their signatures. Raises SettingsError when one of them cannot be loaded any more.
    """
    rows = [(_name(asked), *_counts(_here(asked, site), bitext, recipe, site)) for asked in bitext.sources()]
    return Table(
        title="Built already, with these settings",
        head=("corpus", *_STAGES),
        rows=rows,
        note=f"Shards, each of {bitext.shard_rows:,} alignments or a few more. A build makes only those that are "
        f"missing. There already, of any settings: {_any(bitext, site)}.",
    )


def _counts(source: Source | None, bitext: Bitext, recipe: Recipe, site: Site) -> Sequence[str]:
    """Return for every stage `3` or `2 of 3`; nothing is known of a corpus whose files are not here."""
    folder = None if source is None else folder_of(source, bitext, site)
    if source is None or folder is None or not folder.is_dir():
        return ("not yet", *("-" for _ in _STAGES[1:]))
    stem = sources.stem(source)
    index = folder / f"{stem}.json"
    listed = atomic.find_json(index)
    if listed is None:
        begun = len(list(folder.glob(f"{stem}-[0-9][0-9][0-9][0-9][0-9].parquet")))
        return (f"{begun}, not finished", *("-" for _ in _STAGES[1:]))
    paths = [folder / name for name in listed["shards"]]
    later = [_later(path, bitext, recipe, site) for path in paths]
    there = [sum(shards.find(path) is not None for path in stage) for stage in zip(*later, strict=True)]
    return (f"{len(paths)}", *(f"{number} of {len(paths)}" for number in there))


def _later(shard: Path, bitext: Bitext, recipe: Recipe, site: Site) -> Iterator[Path]:
    """Yield where the four later stages write what they make of a shard of alignments."""
    engine = engine_for(recipe.translation, bitext.pivot, bitext.language, site)
    pipeline = pipeline_for(recipe.parser, bitext.language, site)
    filters = recipe.filters
    yield (pairs := shard_path(shard, "pairs", bitext.language, engine.signature))
    yield (parsed := shard_path(pairs, "parsed", pipeline.signature))
    yield (scored := shard_path(parsed, "scored", filters.scoring_key(), filters.signature(Runtime.of(site))))
    yield shard_path(scored, "judged", filters, recipe.categories)


def _here(asked: Release | Asked, site: Site) -> Source | None:
    """Return a source whose files are all on this machine, None otherwise; nothing is fetched."""
    if isinstance(asked, Asked):
        return resolve(asked)
    if opus.local_folder(site.opus) is not None:
        return opus.fetch(asked, site.opus, site.opus_folder)
    sizes = {name: opus.here(asked, name, site.opus_folder) for name in asked.files}
    found = {name: size for name, size in sizes.items() if size is not None}
    if len(found) < len(sizes):
        return None
    paths = {name: opus.place(asked, name, site.opus_folder) for name in asked.files}
    return Archives(
        release=asked, paths=paths, sha256=atomic.read_manifest(paths[asked.files[0]])["sha256"], sizes=found
    )


def _any(bitext: Bitext, site: Site) -> str:
    """Count the shards of every stage, whatever settings they were built with."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    return ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"


def _name(asked: Release | Asked) -> str:
    return f"{asked.own.name}/{asked.own.release}" if isinstance(asked, Asked) else f"{asked.corpus}/{asked.release}"


def _statistics(name: str, statistics: Statistics) -> Table:
    rows, last = [], ""
    for row in statistics.rows():
        rows.append(("" if row.group == last else row.group, row.name, f"{row.number:,}", row.bar))
        last = row.group
    return Table(title=f"{name}, as it was read before", head=("", "", "number", "share"), rows=rows)


def _files(path: Path) -> Sequence[Path]:
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _written(path: Path) -> float:
    return path.stat().st_mtime
