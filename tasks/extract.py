"""Extract: a corpus's link file to shards of 1-2 and 2-1 alignments, cut along document borders."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from prefect import get_run_logger, task

from alignments import opus
from alignments.catalogue import licence
from alignments.extract import DocumentBatch, Extraction
from alignments.extract import extract as alignments_of
from pairs import shards
from pairs.progress import tracked
from pairs.records import Alignment
from pairs.settings import key
from pairs.site import Site
from tasks.stages import STAGE


@dataclass
class _Cut:
    """What goes into one shard: whole documents, until there are enough alignments."""

    alignments: list[Alignment] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    last_link: int = 0

    def add(self, document: DocumentBatch) -> None:
        self.alignments.extend(document.alignments)
        self.shapes.update(document.shapes)
        self.skips.update(document.skips)
        self.last_link = document.last_link


@task(task_run_name="extract {archives.release.corpus}", **STAGE)
def extract(archives: opus.Archives, settings: Extraction, shard_rows: int) -> list[Path]:
    """Write the shards of one corpus and return them in the order of its link file.

    A shard that exists is kept; a run that was cut off goes on behind the last one's last link.
    """
    folder = _folder(archives, settings, shard_rows)
    stem = f"{archives.release.corpus}-{archives.release.release}"
    index = folder / f"{stem}.json"
    if not index.exists():
        _write_missing(folder, stem, archives, settings, shard_rows)
    names = shards.load_json(index)["shards"]
    get_run_logger().info("%s: %d shards of alignments", stem, len(names))
    return [folder / name for name in names]


def _folder(archives: opus.Archives, settings: Extraction, shard_rows: int) -> Path:
    release = archives.release
    digits = key(release.corpus, release.release, archives.identity, settings, shard_rows)
    return Site().build_folder(f"{release.a}-{release.b}") / f"alignments-{digits}"


def _write_missing(folder: Path, stem: str, archives: opus.Archives, settings: Extraction, shard_rows: int) -> None:
    done = _already(folder, stem)
    after = shards.facts(done[-1])["last_link"] if done else 0
    release = archives.release
    stream = alignments_of(archives, release, settings, licence=licence(release.corpus), after_link=after)
    with tracked(f"extract {stem}", None) as advance:
        for cut in _cuts(stream, shard_rows, after):
            out = folder / f"{stem}-{len(done):05d}.parquet"
            begun = time.monotonic()
            shards.write(out, Alignment, cut.alignments, {**_facts(cut), "seconds": round(time.monotonic() - begun, 3)})
            advance(sum(cut.shapes.values()))
            done.append(out)
    shards.write_json(folder / f"{stem}.json", {"shards": [path.name for path in done]})


def _already(folder: Path, stem: str) -> list[Path]:
    """Return the shards that an earlier run left, up to the first gap."""
    found: list[Path] = []
    while (path := folder / f"{stem}-{len(found):05d}.parquet").exists():
        found.append(path)
    return found


def _cuts(stream: Iterable[DocumentBatch], shard_rows: int, after: int) -> Iterator[_Cut]:
    """Yield whole documents together; documents without alignments go with the ones before, so no shard is empty."""
    cut = _Cut(last_link=after)
    for document in stream:
        if len(cut.alignments) >= shard_rows and document.alignments:
            yield cut
            cut = _Cut(last_link=cut.last_link)
        cut.add(document)
    if cut.last_link > after:
        yield cut


def _facts(cut: _Cut) -> dict[str, object]:
    skips, shapes = dict(sorted(cut.skips.items())), dict(sorted(cut.shapes.items()))
    return {"last_link": cut.last_link, "shapes": shapes, "skips": skips}
