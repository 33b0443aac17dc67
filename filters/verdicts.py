"""Verdicts and labels of scored pairs."""

from collections.abc import Iterable, Iterator

from filters.sieve import Sieve
from pairs.labelling.categories import Categories, categorize
from pairs.records import JudgedPair, ScoredPair


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
