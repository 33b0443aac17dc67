"""Divide the texts of parsed documents by the rules of DiscoFuse, and draw a balanced selection of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from discourse.fusion.balance import Balance, draws, kept_shares, phenomenon
from discourse.fusion.documents import Fusion, fuse
from discourse.fusion.rules import VERSION
from pairs.records import FusedPair, ParsedSentence
from pairs.storage import shards
from tasks.stages import STAGE, build_once, shard_path


@task(task_run_name="unfuse {shard.stem}", **STAGE)
def unfuse(shard: Path, fusion: Fusion) -> State[Path]:
    """Write the fused pairs of a shard of parsed sentences, kept and rejected; what gives nothing is counted."""
    out = shard_path(shard, "fused", fusion, VERSION)
    return build_once(out, FusedPair, lambda: _unfuse(shard, fusion), source=shard)


def _unfuse(shard: Path, fusion: Fusion) -> tuple[list[FusedPair], Counter[str]]:
    skips = Counter[str]()
    return list(fuse(shards.read(shard, ParsedSentence), fusion, skips)), skips


def balanced(paths: Iterable[Path], balance: Balance) -> Callable[[FusedPair], bool]:
    """Return what draws the balanced selection, by the kept pairs of all shards."""
    counts = Counter[str]()
    for path in paths:
        names = ("discourse_type", "connective", "rejected_by")
        rows = zip(*(shards.column(path, FusedPair, name) for name in names), strict=True)
        counts.update(phenomenon(kind, connective) for kind, connective, reason in rows if reason is None)
    shares = kept_shares(counts, balance.share)

    def is_drawn(pair: FusedPair) -> bool:
        return draws(pair.id, shares.get(phenomenon(pair.discourse_type, pair.connective), 1), balance.seed)

    return is_drawn
