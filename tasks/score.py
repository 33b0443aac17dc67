"""Score: compute the scores of all filters for every pair.

Model-based filters run only on pairs that no rule filter has rejected, unless a model may overrule that filter.
"""

from collections import Counter
from collections.abc import Iterable

from bitext_pivot.core.progress import tracked
from bitext_pivot.core.records import ParsedPair, ScoredPair
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.language import data_signature
from bitext_pivot.tasks.run.targets import Stage, StageFacts

_AT_ONCE = 1_000  # pairs per step of the progress bar


def score(filters: Filters, language: str, site: Site) -> Stage:
    """Return the stage that computes the scores of pairs.

    The stage `judge` compares them with thresholds.
    """
    runtime = Runtime.of(site)
    parts = {
        "filters": filters.scoring_key(),
        "computed by": filters.signature(runtime),
        "data of the language": data_signature(language),
    }

    def run(
        rows: Iterable[ParsedPair], name: str, facts: StageFacts
    ) -> tuple[list[ScoredPair], Counter[str]]:
        parsed = list(rows)
        scored: list[ScoredPair] = []
        with tracked(f"score {name}", len(parsed), "pairs") as advance:
            for start in range(0, len(parsed), _AT_ONCE):
                scored += filters.score(parsed[start : start + _AT_ONCE], runtime)
                advance(len(parsed[start : start + _AT_ONCE]))
        return scored, Counter()

    return Stage("score", "scored", parts, ParsedPair, ScoredPair, run)
