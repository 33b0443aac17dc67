"""Judge: a verdict, two categories and a construction for every pair; rejected pairs stay, with the filter's name."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from filters.chain import FilterChain
from filters.verdicts import judged
from pairs.labelling.categories import LABELS
from pairs.records import JudgedPair, ScoredPair
from pairs.storage import shards
from tasks.stages import STAGE, build_once, shard_path


@task(task_run_name="judge {shard.stem}", **STAGE)
def judge(shard: Path, filters: FilterChain) -> State[Path]:
    """Decide by the scores that exist, and label."""
    out = shard_path(shard, "judged", filters, LABELS)
    return build_once(
        out, JudgedPair, lambda: (judged(shards.read(shard, ScoredPair), filters), Counter()), source=shard
    )
