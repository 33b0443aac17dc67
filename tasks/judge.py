"""Judge: a verdict, two categories and a construction for every pair; rejected pairs stay, with the filter's name."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.core.storage import shards
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.verdicts import judged
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.stages import STAGE, build_once


@task(task_run_name="judge {shard.stem}", **STAGE)
def judge(shard: Path, filters: Filters) -> State[Path]:
    """Decide by the scores that exist, and label."""
    target = table.judge(filters).target(shard)
    return build_once(target, JudgedPair, lambda: _judged(shard, filters), source=shard)


def _judged(shard: Path, filters: Filters) -> tuple[Iterator[JudgedPair], Counter[str]]:
    return judged(shards.read(shard, ScoredPair), filters), Counter()
