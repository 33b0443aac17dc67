"""Decide which scored pairs are accepted, and label them."""

from collections.abc import Iterable, Iterator

from bitext_pivot.core.records import JudgedPair, ScoredPair
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.labelling.categories import label_pair


def judge_pairs(scored: Iterable[ScoredPair], filters: Filters) -> Iterator[JudgedPair]:
    """Yield each scored pair with its labels and the name of the filter that rejects it, if any."""
    for pair in scored:
        yield JudgedPair(
            scored=pair, rejected_by=filters.verdict(pair), **label_pair(pair.parsed)._asdict()
        )
