"""Write shards of neighbouring sentences that several bitexts share."""

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bitext_pivot.alignments.release import ReleaseFiles
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.discourse.explicitation_records import (
    NeighbourPair,
)
from bitext_pivot.discourse.reading.multiway import SharedBitext, SharedDocuments
from bitext_pivot.discourse.tasks import document_stages
from bitext_pivot.discourse.tasks.read_documents import write_documents
from bitext_pivot.tasks.fetch import fetch_release, read_again
from bitext_pivot.tasks.run.current_run import StageResult
from bitext_pivot.tasks.run.targets import FIRST_SHARD


def write_neighbours(
    archives: Sequence[ReleaseFiles], bitext: SharedBitext, site: Site
) -> StageResult[list[Path]]:
    """Write the neighbouring sentences of a corpus to shards, and return the shards in order."""
    shared = SharedDocuments(
        archives=archives,
        language=bitext.language,
        max_documents=bitext.max_documents,
        skip_damaged=bitext.skip_damaged,
    )
    builds, name = site.build_folder(bitext.folder), shared.name.replace("/", "-") + FIRST_SHARD
    stage = document_stages.neighbours_stage(bitext.shard_rows)
    target = stage.in_folder(builds, name, {"sources": shared.identity})
    links = site.store_folder / f"links-{target.path.parent.name}"

    def write(shared: SharedDocuments) -> StageResult[list[Path]]:
        def documents(skips: Counter[str]) -> Iterator[list[NeighbourPair]]:
            shutil.rmtree(links, ignore_errors=True)  # a killed run may have left links
            yield from shared.neighbours(RowStore(links, "links"), skips)
            shutil.rmtree(links)

        return write_documents("neighbours", target, NeighbourPair, documents, bitext.shard_rows)

    def fetch_again() -> SharedDocuments:
        return replace(shared, archives=[fetch_release(old.release, site) for old in archives])

    return read_again(shared, write, fetch_again, site)
