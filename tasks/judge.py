"""Judge: accept or reject every pair, and label it with two categories and a construction.

Rejected pairs stay in the shard, with the name of the filter that rejected them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.verdicts import judge_pairs
from bitext_pivot.syntax.labelling import categories
from bitext_pivot.tasks.run.targets import Stage, StageFacts


def judge(filters: Filters) -> Stage:
    """Return the stage that compares scores with the filters' thresholds and labels the pairs."""
    parts = {"thresholds": filters.thresholds(), "version of the labels": categories.VERSION}

    def run(
        rows: Iterable[ScoredPair], name: str, facts: StageFacts
    ) -> tuple[Iterator[JudgedPair], Counter[str]]:
        return judge_pairs(rows, filters), Counter()

    return Stage("judge", "judged", parts, ScoredPair, JudgedPair, run)
