"""Extract: a corpus to shards of 1-2 and 2-1 alignments, cut along document borders, and statistics of all of it."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from prefect import get_run_logger, task
from prefect.artifacts import create_markdown_artifact

from alignments import sources
from alignments.bitext import Bitext
from alignments.screening.screen import Screened, catch_up, screen
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
    """What goes into one shard: whole documents, until there are enough alignments."""

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

    Shards up to the first one that is missing are kept; the others are written after the last link of these.
    """
    folder = folder_of(source, bitext, site)
    stem = sources.stem(source)
    index, seen = folder / f"{stem}.json", _seen(folder, stem, site)
    if not _is_complete(index):
        with on_the_run_page(), locked(seen, get_run_logger()):
            if not _is_complete(index):
                _write_missing(folder, source, bitext, seen)
    told = atomic.load_json(index)
    page = Statistics.read(told["statistics"]).markdown(f"{source.release.name}: links and alignments")
    create_markdown_artifact(
        page, f"alignments-{stem}-{bitext.folder}".lower().replace(".", "-").replace("_", "-"), stem
    )
    get_run_logger().info("%s: %d shards of alignments", stem, len(told["shards"]))
    return [folder / name for name in told["shards"]]


def folder_of(source: Source, bitext: Bitext, site: Site) -> Path:
    """Return the folder of a corpus' shards: its name changes with the files and all that cuts them."""
    release, screening = source.release, bitext.screening
    what = release.corpus, release.release, sources.identity(source)
    digits = key(*what, bitext.extraction, screening, screening.signature(), bitext.shard_rows)
    return site.build_folder(bitext.folder) / f"alignments-{digits}"


def _seen(folder: Path, stem: str, site: Site) -> Path:
    """Return the file that remembers what was screened: on this machine, wherever the shards lie."""
    return site.store_folder / "seen" / f"{folder.name}-{stem}.sqlite"


def _write_missing(folder: Path, source: Source, bitext: Bitext, seen: Path) -> None:
    stem, screening = sources.stem(source), bitext.screening
    sweep(folder, f"{stem}-[0-9][0-9][0-9][0-9][0-9].parquet")
    sweep(folder, f"{stem}.json")
    done = _already(folder, stem)
    after = atomic.read_manifest(done[-1])["last_link"] if done else 0
    catch_up(seen, screening, (shards.read(path, Alignment) for path in done), after)
    found = sources.read(source, bitext.extraction, after_link=after)
    stream = screen(found, screening, languages=source.release.languages, store=seen, after_link=after)
    with tracked(f"extract {stem}", None) as advance:
        for cut in _cuts(stream, bitext.shard_rows, after):
            out = folder / f"{stem}-{len(done):05d}.parquet"
            begun = time.monotonic()
            shards.write(out, Alignment, cut.alignments, {**_facts(cut), "seconds": round(time.monotonic() - begun, 3)})
            advance(sum(cut.shapes.values()))
            done.append(out)
    parts = (Statistics.read(atomic.read_manifest(path)["statistics"]) for path in done)
    statistics = sum(parts, start=Statistics())
    atomic.write_json(
        folder / f"{stem}.json", {"shards": [path.name for path in done], "statistics": statistics.plain()}
    )
    seen.unlink(missing_ok=True)


def _is_complete(index: Path) -> bool:
    """Return True if the index of a corpus is there and every shard that it lists."""
    listed = atomic.find_json(index)
    return listed is not None and all(shards.find(index.with_name(name)) for name in listed["shards"])


def _already(folder: Path, stem: str) -> list[Path]:
    """Return the shards that an earlier run left, up to the first gap."""
    found: list[Path] = []
    while shards.find(path := folder / f"{stem}-{len(found):05d}.parquet"):
        found.append(path)
    return found


def _cuts(stream: Iterable[Screened], shard_rows: int, after: int) -> Iterator[_Cut]:
    """Yield whole documents together; documents without alignments go with the ones before, so no shard is empty."""
    cut = _Cut(last_link=after)
    for document in stream:
        if len(cut.alignments) >= shard_rows and document.batch.alignments:
            yield cut
            cut = _Cut(last_link=cut.last_link)
        cut.add(document)
    if cut.last_link > after:
        yield cut


def _facts(cut: _Cut) -> dict[str, object]:
    skips, shapes = dict(sorted(cut.skips.items())), dict(sorted(cut.shapes.items()))
    statistics = Statistics.of(cut.alignments, cut.shapes, cut.skips, cut.notes)
    return {"last_link": cut.last_link, "shapes": shapes, "skips": skips, "statistics": statistics.plain()}
