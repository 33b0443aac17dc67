"""Verdicts and labels of scored pairs."""

from collections.abc import Iterable, Iterator

from filters.chain import FilterChain
from pairs.labelling.categories import label
from pairs.records import JudgedPair, ScoredPair


def judged(scored: Iterable[ScoredPair], filters: FilterChain) -> Iterator[JudgedPair]:
    """Yield each scored pair with its verdict and labels, in order."""
    for pair in scored:
        yield JudgedPair(scored=pair, rejected_by=filters.verdict(pair), **label(pair.parsed)._asdict())
