"""Divide the texts of parsed documents by the rules of DiscoFuse."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from discourse.fusion.documents import Fusion, fuse
from pairs.records import FusedPair, ParsedSentence
from pairs.storage import shards
from tasks.stages import STAGE, build_once, shard_path


@task(task_run_name="unfuse {shard.stem}", **STAGE)
def unfuse(shard: Path, fusion: Fusion) -> State[Path]:
    """Write the fused pairs of a shard of parsed sentences, kept and rejected; what gives nothing is counted."""
    return build_once(shard_path(shard, "fused", fusion), FusedPair, lambda: _unfuse(shard, fusion), source=shard)


def _unfuse(shard: Path, fusion: Fusion) -> tuple[list[FusedPair], Counter[str]]:
    skips = Counter[str]()
    return list(fuse(shards.read(shard, ParsedSentence), fusion, skips)), skips
