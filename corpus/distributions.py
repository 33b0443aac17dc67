"""Distributions of a data set, for its plots: scores, lengths and categories, counted while the data set is written."""

from collections import Counter
from typing import Any

from corpus.card import CATEGORIES
from pairs.records import JudgedPair

SCORE_BINS = 20
"""Bins of a score between 0 and 1; scores outside are counted in the first and the last one."""
LONGEST = 100
"""Longer texts are counted as texts of this number of tokens."""
RATIO_BINS = 20
"""Bins of the length ratio between 0 and 2; longer ones are counted in the last one."""


class Distributions:
    """Counts of pairs by score, length, length ratio and category."""

    def __init__(self) -> None:
        self._scores: dict[str, dict[str, Counter[int]]] = {}
        self._lengths: dict[str, Counter[int]] = {"long": Counter(), "split": Counter()}
        self._ratios: Counter[int] = Counter()
        self._categories: dict[str, Counter[str]] = {}

    def add(self, judged: JudgedPair) -> None:
        """Count a pair: its scores, and if it was kept its lengths and category."""
        verdict = "kept" if judged.rejected_by is None else "rejected"
        for name, score in judged.scored.scores.items():
            if "." not in name:  # parts of a score are not plotted
                if name not in self._scores:
                    self._scores[name] = {"kept": Counter(), "rejected": Counter()}
                self._scores[name][verdict][min(max(int(score * SCORE_BINS), 0), SCORE_BINS - 1)] += 1
        if judged.rejected_by is None:
            self._add_kept(judged)

    def _add_kept(self, judged: JudgedPair) -> None:
        parsed, alignment = judged.scored.parsed, judged.pair.alignment
        long, split = len(parsed.long.tokens), sum(len(parse.tokens) for parse in parsed.split)
        self._lengths["long"][min(long, LONGEST)] += 1
        self._lengths["split"][min(split, LONGEST)] += 1
        self._ratios[min(split * RATIO_BINS // (2 * long), RATIO_BINS - 1)] += 1
        corpus = f"{alignment.corpus}/{alignment.release}" if alignment else "pairs"
        self._categories.setdefault(corpus, Counter())[judged.category] += 1

    def plain(self) -> dict[str, Any]:
        """Return the counts for `stats.json`.

        `scores`: by score, then `kept` and `rejected`, one number per bin. `lengths`: kept pairs by number of tokens
        from 0 to 100, of `long` and of both sentences of `split`. `length_ratio`: kept pairs by tokens of `split`
        divided by tokens of `long`, in bins of 0.1. `categories`: kept pairs by corpus and category.
        """
        return {
            "scores": {
                name: {verdict: _listed(bins, SCORE_BINS) for verdict, bins in verdicts.items()}
                for name, verdicts in sorted(self._scores.items())
            },
            "lengths": {side: _listed(counts, LONGEST + 1) for side, counts in self._lengths.items()},
            "length_ratio": _listed(self._ratios, RATIO_BINS),
            "categories": {
                corpus: {category: counts[category] for category in CATEGORIES}
                for corpus, counts in sorted(self._categories.items())
            },
        }


def _listed(counts: Counter[int], bins: int) -> list[int]:
    return [counts[place] for place in range(bins)]
