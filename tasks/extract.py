"""Extract: a corpus to shards of 1-2 and 2-1 alignments, cut at document borders, and its statistics."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from prefect import get_run_logger, task
from prefect.artifacts import MarkdownArtifact

from alignments import sources
from alignments.bitext import Bitext
from alignments.extract import DocumentBatch
from alignments.screening.screen import screen
from alignments.sources import Source
from alignments.statistics import LinkStatistics
from pairs.progress import tracked
from pairs.records import Alignment
from pairs.settings import key
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.storage.locks import locked, sweep
from tasks.artifacts import put
from tasks.progress import in_the_log
from tasks.stages import STAGE


@task(task_run_name="extract {source.release.corpus}", **STAGE)
def extract(source: Source, bitext: Bitext, site: Site) -> list[Path]:
    """Write the shards of one corpus and return them in the order of its links.

    Shards up to the first missing one are reused; the others are written from the link behind them on.
    """
    folder, stem = folder_of(source, bitext, site), sources.stem(source)
    index = folder / f"{stem}.json"
    if not _is_complete(index):
        with in_the_log(), locked(index, get_run_logger()):
            if not _is_complete(index):
                _write_missing(index, source, bitext)
    contents = atomic.load_json(index)
    get_run_logger().info("%s: %d shards of alignments", stem, len(contents["shards"]))
    return [folder / name for name in contents["shards"]]


def publish_alignments(corpora: Sequence[Source], bitext: Bitext, site: Site) -> None:
    """Publish the statistics of all corpora as one artifact: what was read, and what was left out."""
    pages = []
    for source in corpora:
        contents = atomic.load_json(folder_of(source, bitext, site) / f"{sources.stem(source)}.json")
        pages.append(
            LinkStatistics.read(contents["statistics"]).markdown(f"{source.release.name}: links and alignments")
        )
    put(
        MarkdownArtifact(key=f"alignments-{bitext.folder}".lower(), markdown="\n".join(pages), description=bitext.title)
    )


def folder_of(source: Source, bitext: Bitext, site: Site) -> Path:
    """Return the folder of a corpus' shards: its name changes with the files and all that cuts them."""
    release, screening = source.release, bitext.screening
    names = release.corpus, release.release, sources.identity(source)
    digits = key(*names, bitext.extraction, screening, screening.signature(), bitext.shard_rows)
    return site.build_folder(bitext.folder) / f"alignments-{digits}"


def _write_missing(index: Path, source: Source, bitext: Bitext) -> None:
    folder, stem = index.parent, index.stem
    sweep(folder, f"{stem}-[0-9][0-9][0-9][0-9][0-9].parquet")
    paths = _reusable(folder, stem)
    after = atomic.read_manifest(paths[-1])["last_link"] if paths else 0
    batches = screen(
        sources.read(source, bitext.extraction, after_link=after),
        bitext.screening,
        earlier=chain.from_iterable(shards.read(path, Alignment) for path in [*paths]),
    )
    with tracked(f"extract {stem}", None) as advance:
        for cut in _cuts(batches, bitext.shard_rows):
            path = folder / f"{stem}-{len(paths):05d}.parquet"
            begin = time.monotonic()
            alignments = [alignment for batch in cut for alignment in batch.alignments]
            manifest = _manifest(cut, alignments)
            shards.write(path, Alignment, alignments, {**manifest, "seconds": round(time.monotonic() - begin, 3)})
            advance(sum(batch.shapes.total() for batch in cut))
            paths.append(path)
    parts = (LinkStatistics.read(atomic.read_manifest(path)["statistics"]) for path in paths)
    statistics = sum(parts, start=LinkStatistics())
    atomic.write_json(index, {"shards": [path.name for path in paths], "statistics": statistics.plain()})


def _is_complete(index: Path) -> bool:
    """Return True if the index of a corpus and all shards that it lists exist."""
    contents = atomic.find_json(index)
    return contents is not None and all(shards.find(index.with_name(name)) for name in contents["shards"])


def _reusable(folder: Path, stem: str) -> list[Path]:
    """Return the shards of earlier runs, up to the first missing one."""
    paths: list[Path] = []
    while shards.find(path := folder / f"{stem}-{len(paths):05d}.parquet"):
        paths.append(path)
    return paths


def _cuts(batches: Iterable[DocumentBatch], shard_rows: int) -> Iterator[list[DocumentBatch]]:
    """Yield the documents of each shard; those without alignments follow the ones before, so no shard is empty."""
    cut: list[DocumentBatch] = []
    rows = 0
    for batch in batches:
        if rows >= shard_rows and batch.alignments:
            yield cut
            cut, rows = [], 0
        cut.append(batch)
        rows += len(batch.alignments)
    if cut:
        yield cut


def _manifest(cut: list[DocumentBatch], alignments: list[Alignment]) -> dict[str, object]:
    shapes, skips, notes = (
        sum((getattr(batch, name) for batch in cut), Counter[str]()) for name in ("shapes", "skips", "notes")
    )
    statistics = LinkStatistics.of(alignments, shapes, skips, notes)
    counts = {"shapes": dict(sorted(shapes.items())), "skips": dict(sorted(skips.items()))}
    return {"last_link": cut[-1].last_link, **counts, "statistics": statistics.plain()}
