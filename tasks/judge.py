"""Judge: a verdict, a category and a construction for every pair; rejected pairs stay, with the filter's name."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from filters.sieve import Sieve
from filters.verdicts import judged
from pairs.labelling.categories import Categories
from pairs.records import JudgedPair, ScoredPair
from pairs.storage import shards
from tasks.stages import STAGE, build_once, shard_path


@task(task_run_name="judge {shard.stem}", **STAGE)
def judge(shard: Path, sieve: Sieve, categories: Categories) -> State[Path]:
    """Decide by the scores that exist, and label."""
    out = shard_path(shard, "judged", sieve, categories)
    return build_once(out, JudgedPair, lambda: _judged(shard, sieve, categories), source=shard)


def _judged(shard: Path, sieve: Sieve, categories: Categories) -> tuple[list[JudgedPair], Counter[str]]:
    return list(judged(shards.read(shard, ScoredPair), sieve, categories)), Counter()
