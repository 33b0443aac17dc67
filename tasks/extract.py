"""Extract: read the 1-2 and 2-1 alignments of a corpus into shards that end at document boundaries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bitext_pivot.alignments import sources
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.extraction import AlignmentBatch
from bitext_pivot.alignments.release import ReleaseFiles
from bitext_pivot.alignments.screening.screen import screen_batches
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.alignments.statistics import count_links
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.tasks.fetch import fetch_all, fetch_release, read_again
from bitext_pivot.tasks.run import stage_definitions
from bitext_pivot.tasks.run.current_run import StageResult, current_run
from bitext_pivot.tasks.run.futures import flatten
from bitext_pivot.tasks.run.stages import write_shards


def extract(source: SourceFiles, bitext: Bitext, site: Site) -> StageResult[list[Path]]:
    """Write the alignments of one corpus to shards, and return the paths of the shards in order."""

    def extract_files(source: SourceFiles) -> StageResult[list[Path]]:
        return write_shards(
            "extract",
            stage_definitions.alignments(source, bitext, site),
            Alignment,
            lambda: _shards(source, bitext),
        )

    if not isinstance(source, ReleaseFiles):
        return extract_files(source)
    return read_again(source, extract_files, lambda: fetch_release(source.release, site), site)


def _shards(
    source: SourceFiles, bitext: Bitext
) -> Iterator[tuple[list[Alignment], dict[str, Any]]]:
    """Yield the alignments for each shard, and the counts for the shard's manifest."""
    batches = screen_batches(sources.read_alignments(source, bitext.extraction), bitext.screening)
    cuts = shards.cut(batches, bitext.shard_rows, lambda batch: len(batch.alignments))
    for shard, is_last in cuts:
        alignments = [alignment for batch in shard for alignment in batch.alignments]
        yield alignments, {**_counts(source, shard, alignments), "is_last": is_last}


def _counts(
    source: SourceFiles, shard: Sequence[AlignmentBatch], alignments: list[Alignment]
) -> dict[str, Any]:
    shapes, skips, notes = (
        sum((getattr(batch, name) for batch in shard), Counter[str]())
        for name in ("shapes", "skips", "notes")
    )
    name = source.release.full_name
    counts = count_links(
        name, alignments, {"shapes": shapes, "left out": skips, "kept with a note": notes}
    )
    return {"skips": sources.count_lost_links(shard), "counts": counts.nested()}


def read_sources(
    bitext: Bitext, warnings: Sequence[str], site: Site
) -> tuple[list[SourceFiles], list[Path]]:
    """Fetch the sources of a build and extract their alignments. Call this in a flow.

    Returns the files of the sources and the shards of the alignments. Raises EmptyError if there are no alignments; the
    message contains the reasons for skips and the `warnings` about the texts.
    """
    archives = fetch_all(bitext.sources(), site)
    alignments = flatten(
        "extract",
        [
            current_run().submit_task(
                f"extract {source.release.corpus}", extract, source, bitext, site
            )
            for source in archives
        ],
    )
    manifests = [shards.read_manifest(path) for path in alignments]
    if not any(each["rows"] for each in manifests):
        skips = sum((Counter(each["skips"]) for each in manifests), Counter[str]())
        raise sources.empty_build_error(bitext.title, skips, warnings)
    return archives, alignments
