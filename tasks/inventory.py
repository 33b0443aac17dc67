"""What a plan finds here: bitext that is brought, shards that are built, statistics of what was read before."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.filesize import decimal
from rich.table import Table

from alignments.bitext import Bitext
from alignments.own import Asked, resolve
from alignments.statistics import Statistics
from pairs import shards
from pairs.site import Site


def brought(bitext: Bitext) -> Iterator[Table]:
    """Yield a table of the bitext that people bring; raises SettingsError when a file of it is not there."""
    if not bitext.own:
        return
    table = Table("corpus", "kind", "files", "size", "licence", title="Your own", title_justify="left")
    for own in bitext.own:
        found = resolve(Asked(own, bitext.language, bitext.pivot))
        files = [file for path in found.paths for file in _files(path)]
        size = sum(file.stat().st_size for file in files)
        table.add_row(f"{own.name}/{own.release}", own.kind, f"{len(files):,}", decimal(size), own.licence)
    yield table


def extracted(bitext: Bitext, site: Site) -> Iterator[Table]:
    """Yield for each corpus that was extracted before, with whatever settings, what the latest such run counted."""
    for name in [*bitext.corpora, *(f"{own.name}/{own.release}" for own in bitext.own)]:
        stem = name.replace("/", "-").replace(":", "-").removesuffix("-raw")
        found = sorted(site.build_folder(bitext.folder).glob(f"alignments-????????/{stem}.json"), key=_written)
        if found:
            yield _statistics(name, Statistics.read(shards.load_json(found[-1])["statistics"]))


def built(bitext: Bitext, site: Site) -> str:
    """Count the shards of every stage; a corpus is cut into shards while its link file is read."""
    counts: dict[str, int] = {}
    for folder in sorted(site.build_folder(bitext.folder).glob("*-????????")):
        stage = folder.name.rpartition("-")[0]
        counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    found = ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
    return (
        f"Shards of {bitext.shard_rows:,} alignments or a few more. There already, of any settings: {found}. "
        "Shards of the same settings are used again."
    )


def _statistics(name: str, statistics: Statistics) -> Table:
    table = Table("", "", "number", "share", title=f"{name}, as it was read before", title_justify="left")
    last = ""
    for row in statistics.rows():
        table.add_row("" if row.group == last else row.group, row.name, f"{row.number:,}", row.bar)
        last = row.group
    return table


def _files(path: Path) -> Sequence[Path]:
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _written(path: Path) -> float:
    return path.stat().st_mtime
