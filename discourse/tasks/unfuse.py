"""Divide the texts of parsed documents by the rules of DiscoFuse, and draw a balanced selection of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.core.records import FusedPair, ParsedSentence
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.coreference import RESOLVERS
from bitext_pivot.discourse.fusion.balance import Balance, is_sampled, kept_shares, phenomenon
from bitext_pivot.discourse.fusion.documents import Fusion, fuse
from bitext_pivot.discourse.tasks import table
from bitext_pivot.tasks.run.stages import STAGE, build_once


@task(task_run_name="unfuse {shard.stem}", **STAGE)
def unfuse(shard: Path, fusion: Fusion, language: str, site: Site) -> State[Path]:
    """Write the fused pairs of a shard of parsed sentences, kept and rejected; what gives nothing is counted."""
    target = table.unfuse(fusion, language).target(shard)
    return build_once(target, FusedPair, lambda: _unfuse(shard, fusion), source=shard)


def _unfuse(shard: Path, fusion: Fusion) -> tuple[list[FusedPair], Counter[str]]:
    skips = Counter[str]()
    sentences = shards.read(shard, ParsedSentence)
    return list(fuse(sentences, fusion, RESOLVERS[fusion.backend], skips)), skips


def balanced(paths: Iterable[Path], balance: Balance) -> Callable[[FusedPair], bool]:
    """Return what draws the balanced selection, by the kept pairs of all shards."""
    counts = Counter[str]()
    for path in paths:
        names = ("discourse_type", "connective", "rejected_by")
        rows = zip(*(shards.part(path, FusedPair, name) for name in names), strict=True)
        counts.update(
            phenomenon(kind, connective) for kind, connective, reason in rows if reason is None
        )
    shares = kept_shares(counts, balance.share)

    def is_drawn(pair: FusedPair) -> bool:
        return is_sampled(
            pair.id, shares.get(phenomenon(pair.discourse_type, pair.connective), 1), balance.seed
        )

    return is_drawn
