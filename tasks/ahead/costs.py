"""What the shards of a build took that are there."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table
from bitext_pivot.core.tokens import Price
from bitext_pivot.tasks.ahead.inventory import CorpusShards
from bitext_pivot.tasks.run.costs import StageCost, costs_table


def costs_so_far(corpora: Sequence[CorpusShards], price: Price | None) -> list[Table]:
    """Return a table of what the shards of each stage took that are there; none if there are none."""
    taken: dict[str, StageCost] = {}
    for corpus in corpora:
        for stage, shard in _there(corpus):
            manifest = atomic.find_sealed(atomic.manifest_path(shard))
            if manifest is not None:
                taken.setdefault(stage, StageCost()).join(StageCost.of_shard(manifest))
    if not taken:
        return []
    return [costs_table("The shards that are there took", [*taken.items()], price)]


def _there(corpus: CorpusShards) -> Iterator[tuple[str, Path]]:
    """Yield the shards that are there, with their stages."""
    for shard in corpus.alignments or ():
        yield "extract", shard
    for stage, targets in corpus.later.items():
        missing = {target.path for target in corpus.missing[stage]}
        for target in targets:
            if target.path not in missing:
                yield stage, target.path
