"""Counts of kept pairs by corpus, licence and construction, collected in one pass, for the card and the tables.

Tokens are those of the parser. A token of the two sentences is new if `long` does not have it, counted with repetition
and without regard to case, as %new of BiSECT's metrics.
"""

from array import array
from collections import Counter
from typing import Any

import numpy as np

from pairs.records import JudgedPair, ParsedPair


class PairCounts:
    """Counts of the kept pairs of a build. Memory: 16 bytes for each pair, for the number of different texts."""

    def __init__(self) -> None:
        self._by_corpus: dict[str, Counter[str]] = {}
        self._licence: Counter[str] = Counter()
        self._translated: Counter[str] = Counter()
        self._constructions: dict[str, Counter[str]] = {}
        self._hashes = {"long": array("q"), "split": array("q")}

    def add(self, judged: JudgedPair) -> None:
        """Take a pair into account; rejected ones are not counted."""
        if judged.rejected_by is not None:
            return
        pair, source = judged.pair, judged.pair.alignment
        corpus = f"{source.corpus}/{source.release}" if source else ""
        self._by_corpus.setdefault(corpus, Counter()).update(_tokens(judged.scored.parsed))
        self._licence[source.licence if source else "unknown"] += 1
        self._translated[pair.translated or "neither"] += 1
        self._constructions.setdefault(judged.category, Counter())[judged.construction] += 1
        self._hashes["long"].append(hash(pair.long))
        self._hashes["split"].append(hash(pair.split))

    def plain(self) -> dict[str, Any]:
        """Return fields of `corpus.card.Statistics`, the first of them `by_corpus`."""
        by_category = {name: dict(sorted(counts.items())) for name, counts in sorted(self._constructions.items())}
        return {
            "by_corpus": {name: dict(counts) for name, counts in sorted(self._by_corpus.items())},
            "licence": dict(sorted(self._licence.items())),
            "translated": dict(sorted(self._translated.items())),
            "construction_by_category": by_category,
            "unique": {
                side: int(np.unique(np.frombuffer(hashes, np.int64)).size) for side, hashes in self._hashes.items()
            },
        }


def _tokens(parsed: ParsedPair) -> dict[str, int]:
    """Return 1, the tokens of both sides, and the share of new tokens of the split in millionths."""
    left = Counter(_lowered(parsed.long.tokens))
    split = _lowered((*parsed.split[0].tokens, *parsed.split[1].tokens))
    new = 0
    for token in split:  # the difference of two counters is slower
        if left.get(token):
            left[token] -= 1
        else:
            new += 1
    # Integers, so that the sum does not depend on the order of the pairs.
    share = round(1e6 * new / max(len(split), 1))
    return {"pairs": 1, "long_tokens": len(parsed.long.tokens), "split_tokens": len(split), "new_millionths": share}


def _lowered(tokens: tuple[str, ...]) -> list[str]:
    return [token.lower() for token in tokens]
