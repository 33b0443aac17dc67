"""Extract: a corpus to shards of 1-2 and 2-1 alignments, cut at document borders, and its statistics."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from prefect import get_run_logger, task
from prefect.artifacts import create_markdown_artifact

from alignments import sources
from alignments.bitext import Bitext
from alignments.screening.screen import Screened, screen
from alignments.sources import Source
from alignments.statistics import Statistics
from pairs.progress import tracked
from pairs.records import Alignment
from pairs.settings import key
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.storage.locks import locked, sweep
from tasks.progress import on_the_run_page
from tasks.stages import STAGE


@dataclass
class _Cut:
    """The contents of one shard: whole documents, until there are enough alignments."""

    alignments: list[Alignment] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    last_link: int = 0

    def add(self, document: Screened) -> None:
        self.alignments.extend(document.batch.alignments)
        self.shapes.update(document.batch.shapes)
        self.skips.update(document.batch.skips)
        self.notes.update(document.notes)
        self.last_link = document.batch.last_link


@task(task_run_name="extract {source.release.corpus}", **STAGE)
def extract(source: Source, bitext: Bitext, site: Site) -> list[Path]:
    """Write the shards of one corpus and return them in the order of its links.

    Shards up to the first missing one are reused; the others are written from the link behind them on.
    """
    folder, stem = folder_of(source, bitext, site), sources.stem(source)
    index = folder / f"{stem}.json"
    if not _is_complete(index):
        with on_the_run_page(), locked(index, get_run_logger()):
            if not _is_complete(index):
                _write_missing(index, source, bitext)
    contents = atomic.load_json(index)
    page = Statistics.read(contents["statistics"]).markdown(f"{source.release.name}: links and alignments")
    name = f"alignments-{stem}-{bitext.folder}".lower().replace(".", "-").replace("_", "-")
    create_markdown_artifact(page, name, stem)
    get_run_logger().info("%s: %d shards of alignments", stem, len(contents["shards"]))
    return [folder / name for name in contents["shards"]]


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
        languages=source.release.languages,
        earlier=chain.from_iterable(shards.read(path, Alignment) for path in [*paths]),
    )
    with tracked(f"extract {stem}", None) as advance:
        for cut in _cuts(batches, bitext.shard_rows, after):
            path = folder / f"{stem}-{len(paths):05d}.parquet"
            begin = time.monotonic()
            manifest = _manifest(cut)
            shards.write(path, Alignment, cut.alignments, {**manifest, "seconds": round(time.monotonic() - begin, 3)})
            advance(sum(cut.shapes.values()))
            paths.append(path)
    parts = (Statistics.read(atomic.read_manifest(path)["statistics"]) for path in paths)
    statistics = sum(parts, start=Statistics())
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


def _cuts(stream: Iterable[Screened], shard_rows: int, after: int) -> Iterator[_Cut]:
    """Yield whole documents together; documents without alignments follow the ones before, so no shard is empty."""
    cut = _Cut(last_link=after)
    for document in stream:
        if len(cut.alignments) >= shard_rows and document.batch.alignments:
            yield cut
            cut = _Cut(last_link=cut.last_link)
        cut.add(document)
    if cut.last_link > after:
        yield cut


def _manifest(cut: _Cut) -> dict[str, object]:
    skips, shapes = dict(sorted(cut.skips.items())), dict(sorted(cut.shapes.items()))
    statistics = Statistics.of(cut.alignments, cut.shapes, cut.skips, cut.notes)
    return {"last_link": cut.last_link, "shapes": shapes, "skips": skips, "statistics": statistics.plain()}
