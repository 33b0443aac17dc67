"""Score: every filter's number; a dear filter is asked only about pairs that the cheap ones accept."""

from collections import Counter
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from filters.sieve import Sieve
from pairs import shards
from pairs.progress import tracked
from pairs.records import ScoredPair
from tasks.stages import STAGE, build_once, shard_path


@task(task_run_name="score {shard.stem}", **STAGE)
def score(shard: Path, sieve: Sieve) -> State[Path]:
    """Let every filter measure the pairs of a shard; nothing is decided here but what need not be compared."""
    out = shard_path(shard, "scored", sieve.scoring_key(), sieve.signature())
    return build_once(out, ScoredPair, lambda: _scored(shard, sieve), source=shard)


def _scored(shard: Path, sieve: Sieve) -> tuple[list[ScoredPair], Counter[str]]:
    parsed = list(shards.read_parsed(shard))
    scored: list[ScoredPair] = []
    with tracked(f"score {shard.stem}", sum(map(len, parsed))) as advance:
        for some in parsed:  # no pair's numbers depend on the others
            scored += sieve.score(some)
            advance(len(some))
    return scored, Counter()
