"""Counts of a pair for the card and the plots of BiSECT.

Tokens are those of the parser. A token of the two sentences is new if `long` does not have it, counted with repetition
and without regard to case, as %new of BiSECT's metrics.
"""

from collections import Counter
from itertools import chain

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair

SCORE_BINS = 20
"""Bins of a score between 0 and 1; scores outside are counted in the first and the last one."""
PLOTS = {
    "funnel": "Pairs that entered and left each stage",
    "categories": "Kept pairs by corpus and category",
    "scores": "Scores of kept and rejected pairs, with thresholds",
}
"""Captions of the plots, by the names of their files: `plots/funnel.png`."""


def _source(judged: JudgedPair) -> str:
    """Return corpus and release of a pair, `pairs` for an existing pair."""
    link = judged.pair.alignment
    return f"{link.source.corpus}/{link.source.release}" if link else "pairs"


def pair_counts(judged: JudgedPair, rejected_by: str | None) -> Counts:
    """Return the counts of one pair.

    `scores`: by score and verdict, the bin. Of kept pairs `words`: the tokens of both sides, and the share of new
    tokens of the split in millionths, so that sums do not depend on the order; `categories` by corpus.
    """
    verdict = "kept" if rejected_by is None else "rejected"
    scores = {
        name: score for name, score in judged.scored.scores.items() if "." not in name
    }  # no parts of scores
    counts = Counts(("scores", name, verdict, _bin(score)) for name, score in scores.items())
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


def bins(counts: Counts, size: int, *path: str) -> list[int]:
    """Return the numbers of all bins below a path of these counts."""
    numbers = {int(name): number for name, number in counts.below(*path).items()}
    return [numbers.get(position, 0) for position in range(size)]


def _bin(score: float) -> str:
    return f"{min(max(int(score * SCORE_BINS), 0), SCORE_BINS - 1):02d}"
