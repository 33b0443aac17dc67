"""Balanced selection: no frequent phenomenon has more than a share of the pairs (DiscoFuse, section 3.3).

The paper gives only the sizes of its balanced version, 27 % of the pairs, and the connectives in it: *and* 12 %, *but*
11 % (Table 16). The share is therefore a setting.
"""

import functools
from collections import Counter

from pydantic import Field

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.connectives import supported_languages, word_lists

FREQUENT = ("and", "but", "anaphora")
"""Phenomena that are limited: two connectives, and a pronoun without connective."""


class BalanceSettings(Settings):
    """The balanced selection of the pairs, an additional set of files."""

    share: float = Field(default=0.12, gt=0, le=0.33, title="Largest share")
    """Share of the balanced pairs that each of three frequent phenomena may have: and, but, and a pronoun
    without connective. Pairs of them are drawn by their identifiers."""
    seed: int = 0
    """Another number draws other pairs."""


def frequent_phenomenon(discourse_type: str, connective: str) -> str:
    """Return the frequent phenomenon of a pair, empty for any other."""
    name = _frequent_words().get(connective.strip(" ,"))
    return name or ("anaphora" if discourse_type == "PAIR_ANAPHORA" else "")


@functools.cache
def _frequent_words() -> dict[str, str]:
    """Return the frequent connectives of all languages, and the English one of each."""
    words: dict[str, str] = {}
    for language in supported_languages():
        words |= word_lists(language)["frequent"]
    return words


def kept_shares(counts: Counter[str], most: float) -> dict[str, float]:
    """Return the share of the pairs of each phenomenon that is kept, so that none is more than `most` of what is left.

    `counts` has the pairs of each phenomenon; those that are not in `FREQUENT` are all kept.
    """
    frequent = sorted(FREQUENT, key=lambda name: -counts[name])
    for number in range(len(frequent) + 1):  # how many phenomena must be reduced
        rest = counts.total() - sum(counts[name] for name in frequent[:number])
        limit = most * rest / (1 - most * number)
        if all(counts[name] <= limit for name in frequent[number:]):
            break
    return {name: min(1.0, limit / counts[name]) for name in frequent if counts[name]}


def is_sampled(id: str, share: float, seed: int) -> bool:
    """Return True for a share of all identifiers, by the identifier alone, whatever else a build reads."""
    return rank(id, seed) < share * 2**64
