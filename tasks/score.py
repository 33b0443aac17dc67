"""Score pairs with every filter.

Model-based filters run only on pairs that no rule filter rejects for good.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import ParsedPair, ScoredPair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.stages import STAGE, build_once

_AT_ONCE = 1_000  # pairs between two reports of progress


@task(task_run_name="score {shard.stem}", **STAGE)
def score(shard: Path, filters: Filters, language: str, site: Site) -> State[Path]:
    """Score the pairs of a shard; thresholds of model-based filters are applied later, by `judge`."""
    runtime = Runtime.of(site)
    target = table.score(filters, language, runtime).target(shard)
    facts: dict[str, Any] = {}
    return build_once(
        target,
        ScoredPair,
        lambda: _scored(shard, filters, runtime, facts),
        source=shard,
        facts=facts,
    )


def _scored(
    shard: Path, filters: Filters, runtime: Runtime, facts: dict[str, Any]
) -> tuple[list[ScoredPair], Counter[str]]:
    """Return the scored pairs.

    `facts` gets as `counts` the tokens that the judge took, those of stored answers again.
    """
    parsed = list(shards.read(shard, ParsedPair))
    scored: list[ScoredPair] = []
    with tracked(f"score {shard.stem}", len(parsed), "pairs") as advance:
        for start in range(0, len(parsed), _AT_ONCE):
            scored += filters.score(parsed[start : start + _AT_ONCE], runtime)
            advance(len(parsed[start : start + _AT_ONCE]))
    usage = filters.usage(scored, runtime)
    if usage:
        facts["counts"] = {"judge_tokens": usage}
    return scored, Counter()
