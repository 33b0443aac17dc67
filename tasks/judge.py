"""Judge: a verdict, a category and a construction for every pair; rejected pairs stay, with the filter's name."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from prefect import task
from prefect.states import State

from filters.sieve import Sieve
from pairs import shards
from pairs.categories import Categories, categorize
from pairs.records import JudgedPair, ScoredPair
from tasks.stages import STAGE, once, place


@task(task_run_name="judge {shard.stem}", **STAGE)
def judge(shard: Path, sieve: Sieve, categories: Categories) -> State[Path]:
    """Decide by the scores that exist, and label."""
    out = place(shard, "judged", sieve, categories)
    return once(
        out, JudgedPair, lambda: (judged(shards.read(shard, ScoredPair), sieve, categories), Counter()), upstream=shard
    )


def judged(scored: Iterable[ScoredPair], sieve: Sieve, categories: Categories) -> Iterator[JudgedPair]:
    """Yield each scored pair with its verdict and labels, in order."""
    for pair in scored:
        category, construction, split_at = categorize(pair.parsed, categories)
        yield JudgedPair(
            scored=pair,
            rejected_by=sieve.verdict(pair),
            category=category,
            construction=construction,
            split_at=split_at,
        )
