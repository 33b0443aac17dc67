"""Balanced selection: limit how many pairs have each frequent discourse phenomenon (DiscoFuse, section 3.3).

The paper states only the size of its balanced version (27 % of the pairs) and the shares of two connectives in it: 12 %
*and*, 11 % *but* (Table 16). The maximum share is therefore a setting.
"""

import functools
from collections import Counter

from pydantic import Field

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.connectives import supported_languages, word_lists

FREQUENT = ("and", "but", "anaphora")
"""Discourse phenomena whose share of the pairs is limited: two connectives, and a pronoun without a connective."""


class BalanceSettings(Settings):
    """The balanced selection of pairs, which is written as additional files."""

    share: float = Field(default=0.12, gt=0, le=0.33, title="Maximum share")
    """Maximum share of the balanced pairs that may have each of three frequent phenomena: *and*, *but*, and a pronoun
    without a connective. The pairs are drawn by their ids."""
    seed: int = 0
    """Seed of the random selection of balanced pairs."""


def frequent_phenomenon(discourse_type: str, connective: str) -> str:
    """Return which phenomenon of `FREQUENT` a pair has, or ""."""
    name = _frequent_words().get(connective.strip(" ,"))
    return name or ("anaphora" if discourse_type == "PAIR_ANAPHORA" else "")


@functools.cache
def _frequent_words() -> dict[str, str]:
    """Return the English equivalent of each frequent connective of all languages."""
    words: dict[str, str] = {}
    for language in supported_languages():
        words |= word_lists(language)["frequent"]
    return words


def kept_shares(counts: Counter[str], most: float) -> dict[str, float]:
    """Return, for each frequent discourse phenomenon, the share of its pairs to keep.

    After that, each frequent phenomenon has at most the share `most` of the remaining pairs. `counts` holds the number
    of pairs of each phenomenon. Pairs with phenomena that are not in `FREQUENT` are all kept.
    """
    frequent = sorted(FREQUENT, key=lambda name: -counts[name])
    for number in range(len(frequent) + 1):  # number of phenomena that must be reduced
        rest = counts.total() - sum(counts[name] for name in frequent[:number])
        limit = most * rest / (1 - most * number)
        if all(counts[name] <= limit for name in frequent[number:]):
            break
    return {name: min(1.0, limit / counts[name]) for name in frequent if counts[name]}


def is_sampled(id: str, share: float, seed: int) -> bool:
    """Return True if an id belongs to a random sample with the given share of all ids.

    The answer depends only on the id and the seed.
    """
    return rank(id, seed) < share * 2**64
