"""Score pairs with every filter. Model-based filters run only on pairs that all rule filters accept."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from filters.base import Runtime
from filters.sieve import Sieve
from pairs.progress import tracked
from pairs.records import ParsedPair, ScoredPair
from pairs.site import Site
from pairs.storage import shards
from tasks.stages import STAGE, build_once, shard_path

_AT_ONCE = 1_000  # pairs between two reports of progress


@task(task_run_name="score {shard.stem}", **STAGE)
def score(shard: Path, sieve: Sieve, site: Site) -> State[Path]:
    """Score the pairs of a shard; thresholds of model-based filters are applied later, by `judge`."""
    runtime = Runtime.of(site)
    out = shard_path(shard, "scored", sieve.scoring_key(), sieve.signature(runtime))
    return build_once(out, ScoredPair, lambda: _scored(shard, sieve, runtime), source=shard)


def _scored(shard: Path, sieve: Sieve, runtime: Runtime) -> tuple[list[ScoredPair], Counter[str]]:
    parsed = list(shards.read(shard, ParsedPair))
    scored: list[ScoredPair] = []
    with tracked(f"score {shard.stem}", len(parsed)) as advance:
        for start in range(0, len(parsed), _AT_ONCE):
            scored += sieve.score(parsed[start : start + _AT_ONCE], runtime)
            advance(len(parsed[start : start + _AT_ONCE]))
    return scored, Counter()
