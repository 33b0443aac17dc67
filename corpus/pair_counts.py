"""Count the tokens and categories of a pair, for the card of BiSECT.

A token of the split is new if it occurs less often in `long`, regardless of case, as in BiSECT's metric %new. The
tokens come from the parser.
"""

from collections import Counter
from itertools import chain

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair


def _source(judged: JudgedPair) -> str:
    """Return `corpus/release` of a pair, or `pairs` if the pair was not built from an alignment."""
    link = judged.pair.alignment
    return f"{link.source.corpus}/{link.source.release}" if link else "pairs"


def count_pair(judged: JudgedPair, rejected_by: str | None) -> Counts:
    """Return the counts of one pair, which are empty for a rejected pair.

    `words` has the numbers of tokens and the share of new tokens in the split. The share is an integer, in millionths,
    because a sum of floats would depend on their order. `categories` has the category of the pair, by corpus.
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
