"""Counts of a pair for the card of BiSECT.

Tokens are those of the parser. A token of the two sentences is new if `long` does not have it, counted with repetition
and without regard to case, as %new of BiSECT's metrics.
"""

from collections import Counter
from itertools import chain

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair


def _source(judged: JudgedPair) -> str:
    """Return corpus and release of a pair, `pairs` for an existing pair."""
    link = judged.pair.alignment
    return f"{link.source.corpus}/{link.source.release}" if link else "pairs"


def count_pair(judged: JudgedPair, rejected_by: str | None) -> Counts:
    """Return the counts of one pair: none of a rejected one.

    `words`: the tokens of both sides, and the share of new tokens of the split in millionths, so that sums do not
    depend on the order; `categories` by corpus.
    """
    counts = Counts()
    if rejected_by is not None:
        return counts
    parsed, corpus = judged.scored.parsed, _source(judged)
    long = [token.lower() for token in parsed.long.tokens]
    split = [token.lower() for token in chain(*(parse.tokens for parse in parsed.split))]
    new = (Counter(split) - Counter(long)).total()
    counts["words", "long"] = len(long)
    counts["words", "split"] = len(split)
    counts["words", "new_millionths"] = round(1e6 * new / max(len(split), 1))
    counts["categories", corpus, judged.category] = 1
    return counts
